import type { Outputs } from '@coffer/client';
import type { FolderAddress } from '../../app/folder-address.ts';
import { texts } from './texts.ts';

export type SecretImport = Outputs['secretImports']['list']['secretImports'][number];
export type Place = FolderAddress & { readonly projectId: string };

/** What is said once a change is made, or waits for approval. */
export const doneText = (answer: object, done: string): string =>
  'approval' in answer ? texts.changePolicyCoversThis : done;
