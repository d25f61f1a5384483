/**
 * Requests over kept-alive connections, and no more of HTTP than the measured servers speak: what
 * sends shares the machine with what is measured, and a whole client takes as long as they do.
 */
import { connect } from 'node:net';

/** @typedef {{ status: number, text: string }} Answer of which each character is a byte */
/** @typedef {{ resolve: (answer: Answer) => void, reject: (reason: Error) => void }} Asker */

/**
 * Lines to one server, so many at most; whoever asks beyond them waits for the next that is free.
 *
 * @param {string} address
 * @param {number} most
 */
export function openLines(address, most) {
  const { hostname, port } = new URL(address);
  /** @type {Set<Line>} */
  const open = new Set();
  /** @type {Line[]} */
  const free = [];
  /** @type {((line: Line) => void)[]} */
  const waiting = [];

  function opened() {
    const line = new Line({ host: hostname, port: Number(port) }, () => {
      open.delete(line);
      if (free.includes(line)) free.splice(free.indexOf(line), 1);
      if (waiting.length > 0) waiting.shift()?.(opened());
    });
    open.add(line);
    return line;
  }

  /** @returns {Line | Promise<Line>} */
  function taken() {
    const line = free.pop() ?? (open.size < most ? opened() : undefined);
    return line ?? new Promise((resolve) => waiting.push(resolve));
  }

  return {
    /** @param {string} request all of it, in characters that are one byte each @returns {Promise<Answer>} */
    async ask(request) {
      const line = await taken();
      const answer = await line.ask(request);
      const next = waiting.shift();
      if (next) next(line);
      else free.push(line);
      return answer;
    },
    close() {
      for (const line of open) line.close();
    },
  };
}

/** A connection: one request at a time. */
class Line {
  #socket;
  #said = '';
  /** @type {Asker | undefined} */
  #asker;

  /** @param {{ host: string, port: number }} place @param {() => void} onEnd */
  constructor(place, onEnd) {
    this.#socket = connect({ ...place, noDelay: true }).setEncoding('latin1');
    this.#socket.on('data', (piece) => this.#hear(`${piece}`));
    // What follows it is the end.
    this.#socket.on('error', () => {});
    this.#socket.on('close', () => {
      onEnd();
      this.#asker?.reject(new Error('the connection was broken off'));
    });
  }

  /** @param {string} request @returns {Promise<Answer>} */
  ask(request) {
    return new Promise((resolve, reject) => {
      this.#asker = { resolve, reject };
      this.#socket.write(request, 'latin1');
    });
  }

  close() {
    this.#socket.destroy();
  }

  /** @param {string} piece */
  #hear(piece) {
    this.#said += piece;
    const head = this.#said.indexOf('\r\n\r\n') + 4;
    const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(this.#said) ?? [];
    if (head < 4 || this.#said.length < head + Number(length)) return;
    const answer = { status: Number(this.#said.slice(9, 12)), text: this.#said.slice(head) };
    const asker = this.#asker;
    this.#said = '';
    this.#asker = undefined;
    asker?.resolve(answer);
  }
}
