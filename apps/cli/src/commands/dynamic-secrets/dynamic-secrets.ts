import { formOf, render } from '../../format/output.ts';
import { tableOf } from '../../format/table.ts';
import { connect } from '../../session.ts';
import type { Action } from '../../table/command.ts';
import type { dynamicFlags } from './flags.ts';
import { dynamicPlace } from './place.ts';

export const listDynamicSecrets: Action<typeof dynamicFlags> = async (invocation) => {
  const client = await connect(invocation);
  const { dynamicSecrets } = await client.dynamicSecrets.list.query(await dynamicPlace(invocation, client));
  const form = formOf(invocation.flags);
  const records = dynamicSecrets.map(({ name, type, defaultTTL, maxTTL }) => ({ name, type, defaultTTL, maxTTL }));
  const { io } = invocation;
  if (form) return io.write(await render(form, records, io, { pair: ['name', 'type'], areLabels: true }));
  io.write(
    tableOf(
      ['SECRET NAME', 'PROVIDER', 'DEFAULT TTL', 'MAX TTL'],
      records.map((one) => [one.name, one.type, one.defaultTTL, one.maxTTL ?? '']),
    ),
  );
};
