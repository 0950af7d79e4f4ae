import type { Outputs } from '@coffer/client';
import type { FolderAddress } from '../../app/folder-address.ts';

export type SecretImport = Outputs['secretImports']['list']['secretImports'][number];
export type Place = FolderAddress & { readonly projectId: string };
