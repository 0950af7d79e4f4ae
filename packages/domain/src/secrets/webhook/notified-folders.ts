import { isAtOrBelow, parentPath } from '../folder/index.ts';

/** The maximum number of folders of one commit of which a webhook is notified. */
export const MAX_NOTIFIED = 100;

/**
 * The folders in which a commit changed what a webhook looks at: each of them, or if there are more than `MAX_NOTIFIED` the
 * one that contains them all. What a commit costs does not grow with webhooks times folders.
 */
export class NotifiedFolders {
  readonly #paths = new Set<string>();
  #common: string | undefined;

  add(path: string): void {
    if (this.#paths.size <= MAX_NOTIFIED) this.#paths.add(path);
    this.#common ??= path;
    while (!isAtOrBelow(path, this.#common)) this.#common = parentPath(this.#common);
  }

  get paths(): readonly string[] {
    return this.#paths.size > MAX_NOTIFIED ? [this.#common!] : [...this.#paths];
  }
}
