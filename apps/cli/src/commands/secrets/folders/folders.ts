import { waitsForApproval } from '../../../approval.ts';
import { usage } from '../../../exit.ts';
import { formOf, render } from '../../../format/output.ts';
import { tableOf } from '../../../format/table.ts';
import { placeOfCommand } from '../../../place.ts';
import { connect } from '../../../session.ts';
import type { Action, Invocation } from '../../../table/command.ts';
import type { folderFlags, namedFolderFlags } from './flags.ts';

export const listFolders: Action<typeof folderFlags> = async (invocation) => {
  const { client, at } = await open(invocation);
  const { folders } = await client.folders.list.query(at);
  const form = formOf(invocation.flags);
  const records = folders.map((folder) => recordOf(folder, at.path));
  const { io } = invocation;
  if (form) return io.write(await render(form, records, io, { pair: ['folderName', 'folderName'], areLabels: true }));
  io.write(
    tableOf(
      ['FOLDER NAME(S)'],
      folders.map(({ name }) => [name]),
    ),
  );
};

export const createFolder: Action<typeof namedFolderFlags> = async (invocation) => {
  const name = nameOf(invocation);
  const { client, at } = await open(invocation);
  const { folder } = await client.folders.create.mutate({ ...at, name });
  await show(invocation, recordOf(folder, at.path), `Created the folder ${name} in ${at.path}`);
};

export const deleteFolder: Action<typeof namedFolderFlags> = async (invocation) => {
  const name = nameOf(invocation);
  const { client, at } = await open(invocation);
  if (waitsForApproval(await client.folders.delete.mutate({ ...at, folderId: name }), invocation.io)) return;
  await show(invocation, { folderName: name, folderPath: at.path }, `Deleted the folder ${name} in ${at.path}`);
};

/** As published. */
const recordOf = ({ id, name }: { readonly id: string; readonly name: string }, folderPath: string) => ({
  folderId: id,
  folderName: name,
  folderPath,
});

function nameOf({ flags }: Invocation<typeof namedFolderFlags>): string {
  if (flags.name) return flags.name;
  throw usage('No folder is named', 'Pass --name');
}

async function open(invocation: Invocation<typeof folderFlags>) {
  const client = await connect(invocation);
  const { projectId, environment, secretPath: path } = await placeOfCommand(invocation, client);
  return { client, at: { projectId, environment, path } };
}

async function show(
  { flags, io }: Invocation<typeof namedFolderFlags>,
  record: Readonly<Record<string, string>>,
  message: string,
): Promise<void> {
  const form = formOf(flags);
  io.say('info', message);
  if (form) io.write(await render(form, record, io));
}
