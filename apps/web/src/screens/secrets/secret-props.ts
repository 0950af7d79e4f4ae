import type { Draft } from './drafts.ts';
import type { Entry, ImportedEntry } from './pages.ts';

/** A secret in one environment, and what is going on with it. */
export interface SecretProps {
  readonly projectId: string;
  readonly environment: string;
  readonly secretPath: string;
  readonly secretKey: string;
  /** What is stored; absent where the environment does not have the key. */
  readonly entry: Entry | undefined;
  /** What comes from another folder, where the environment does not have the key itself. */
  readonly imported: ImportedEntry | undefined;
  readonly draft: Draft | undefined;
  /** Whether the user may set its value; else it is not offered. */
  readonly isWritable: boolean;
  readonly onOpen: () => void;
}

/** Where it is. */
export const placeOf = ({ environment, secretPath, secretKey }: SecretProps) => ({
  environment,
  secretPath,
  secretKey,
});
