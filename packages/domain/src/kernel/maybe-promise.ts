/**
 * A value that is there, or a promise of one that has to be waited for. What each request asks for is answered without a
 * promise where it is cached: an asynchronous function takes half a kilobyte, which is garbage at once.
 */
export type MaybePromise<T> = T | Promise<T>;
