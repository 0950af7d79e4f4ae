import { usage } from '../../exit.ts';
import { projectOf } from '../../place.ts';
import { connect } from '../../session.ts';
import type { Action } from '../../table/command.ts';
import type { serviceTokenFlags } from './flags.ts';

export const createServiceToken: Action<typeof serviceTokenFlags> = async (invocation) => {
  const { flags, io } = invocation;
  const permissions = flags['access-level'] as ('read' | 'write')[];
  if (!flags.scope.length) throw usage('The token needs --scope, such as dev:/app/**');
  if (!permissions.length) throw usage('The token needs --access-level, read or write');
  const client = await connect(invocation);
  const { serviceToken, serviceTokenData } = await client.serviceTokens.create.mutate({
    workspaceId: await projectOf(invocation, client),
    name: flags.name ?? `Created by coffer on ${new Date().toISOString().slice(0, 10)}`,
    scopes: flags.scope.map(scopeOf),
    permissions,
    expiresIn: flags['expiry-seconds'],
  });
  if (flags.json) return io.write(`${JSON.stringify({ serviceToken, ...serviceTokenData })}\n`);
  if (flags['token-only']) return io.write(`${serviceToken}\n`);
  io.write(
    `Name: ${serviceTokenData.name}\nToken: ${serviceToken}\nExpires: ${serviceTokenData.expiresAt ?? 'never'}\n`,
  );
};

function scopeOf(text: string): { environment: string; secretPath: string } {
  const [, environment, secretPath] = /^([^:]+):(.+)$/.exec(text) ?? [];
  if (environment && secretPath) return { environment, secretPath };
  throw usage(`The scope ${text} has to be environment:path, such as dev:/app/**`);
}
