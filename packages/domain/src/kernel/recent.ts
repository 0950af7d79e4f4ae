/**
 * Whether something was less than so many milliseconds ago. After the clock was set back, what seems to be in the future was
 * not: otherwise, a minute would last until the former time is reached again.
 */
export const isRecent = (since: number, ms: number, now: number): boolean => since <= now && now - since < ms;
