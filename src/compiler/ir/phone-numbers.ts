/** Whether a number is written as E.164 has it: a plus, the country code, at most 15 digits. */
export function isE164(number: string): boolean {
  return /^\+[1-9][0-9]{1,14}$/.test(number);
}
