/** How the names of the headers begin that the service has added to those of HTTP. */

/** `x-acme-` for `acme`; undefined for what cannot be part of a name. */
export function vendorHeaderPrefix(vendorPrefix: unknown = 'service'): string | undefined {
  const fits = typeof vendorPrefix === 'string' && /^[a-z][a-z0-9-]*$/i.test(vendorPrefix);
  return fits ? `x-${vendorPrefix.toLowerCase()}-` : undefined;
}
