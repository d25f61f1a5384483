/** Prints how many milliseconds the import of a package takes, without the start of Node. */
const [, , name = ''] = process.argv;
const start = performance.now();
await import(name);
console.log(performance.now() - start);
