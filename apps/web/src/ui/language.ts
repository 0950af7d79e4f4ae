/** The language of this build, as a BCP 47 tag: that of its page. Texts, numbers and times are in it. */
export const language: string = globalThis.document?.documentElement.lang || 'en';
