/** Starts a server in a process of its own: what it costs is not the client's. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** @param {URL} file */
export async function startServer(file) {
  const server = fork(fileURLToPath(file));
  const port = await new Promise((resolve, reject) => {
    server.once('message', resolve);
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { origin: `http://127.0.0.1:${port}`, stop: () => server.disconnect() };
}

/**
 * The other side: listens on this machine, and ends with the process that started it.
 *
 * @param {import('node:net').Server} server
 */
export function listenForParent(server) {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(typeof address === 'object' ? address?.port : undefined);
  });
  process.on('disconnect', () => process.exit());
}
