import { waitsForApproval } from '../../approval.ts';
import { formOf, render } from '../../format/output.ts';
import { placeOfCommand } from '../../place.ts';
import { connect } from '../../session.ts';
import type { Action } from '../../table/command.ts';
import type { deleteFlags } from './flags.ts';

export const deleteSecrets: Action<typeof deleteFlags> = async (invocation) => {
  const { flags, io, args } = invocation;
  const client = await connect(invocation);
  const place = await placeOfCommand(invocation, client);
  const type = flags.type as 'shared' | 'personal';
  const secrets = [...new Set(args)].map((secretKey) => ({ secretKey, type }));
  const form = formOf(flags);
  const records = secrets.map(({ secretKey }) => ({ secretKey }));
  // What the form cannot hold is an error before anything is deleted.
  const result = form && (await render(form, records, io, { pair: ['secretKey', 'secretKey'] }));
  if (flags['dry-run'])
    await Promise.all(
      secrets.map(({ secretKey }) =>
        client.secrets.get.query({ ...place, secretName: secretKey, type, viewSecretValue: false }),
      ),
    );
  else if (waitsForApproval(await client.secrets.deleteMany.mutate({ ...place, secrets }), io)) return;
  if (result !== undefined) io.write(result);
  const verb = flags['dry-run'] ? 'Would delete' : 'Deleted';
  io.say('info', `${verb}: ${secrets.map(({ secretKey }) => secretKey).join(', ')}`);
};
