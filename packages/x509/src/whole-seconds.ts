/** Times in certificates, revocation lists and OCSP answers have whole seconds: the one that an instant lies in. */
export const wholeSeconds = (time: Date | number): Date => new Date(Math.floor(Number(time) / 1000) * 1000);
