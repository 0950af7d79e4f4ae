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

  /** The paths to name, each with a folder that has changed there: itself, or one that it contains. */
  get paths(): ReadonlyMap<string, string> {
    const [first] = this.#paths;
    return new Map(
      this.#paths.size > MAX_NOTIFIED ? [[this.#common!, first!]] : Array.from(this.#paths, (path) => [path, path]),
    );
  }
}
