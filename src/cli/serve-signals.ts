/** When a server is to end: at Ctrl-C, or when whoever started it says so (SIGTERM). */
import type { Io } from './io.js';

export async function untilEnded(io: Io): Promise<void> {
  const offs: (() => void)[] = [];
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve);
    offs.push(io.onInterrupt(resolve), () => process.off('SIGTERM', resolve));
  });
  // A second time has the usual effect.
  for (const off of offs) off();
}
