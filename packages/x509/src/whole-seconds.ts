/** Times in certificates, revocation lists and OCSP responses have whole seconds: rounds down. */
export const wholeSeconds = (time: Date | number): Date => new Date(Math.floor(Number(time) / 1000) * 1000);
