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
  if (flags['dry-run'])
    await Promise.all(
      secrets.map(({ secretKey }) =>
        client.secrets.get.query({ ...place, secretName: secretKey, type, viewSecretValue: false }),
      ),
    );
  else if (waitsForApproval(await client.secrets.deleteMany.mutate({ ...place, secrets }), io)) return;
  const form = formOf(flags);
  if (form)
    io.write(
      await render(
        form,
        secrets.map(({ secretKey }) => ({ secretKey })),
        ['secretKey', 'secretKey'],
      ),
    );
  const verb = flags['dry-run'] ? 'Would delete' : 'Deleted';
  io.say('info', `${verb}: ${secrets.map(({ secretKey }) => secretKey).join(', ')}`);
};
