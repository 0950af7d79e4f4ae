import type { CofferClient } from '@coffer/client';
import { failure } from '../../exit.ts';
import { pathOf, readText } from '../../files.ts';
import type { Io } from '../../io.ts';

/**
 * The result of a template with secrets. It asks for what it reads itself; leases, which somebody has to renew and revoke, are for the agent.
 *
 * @throws CommandError with the line of a fault of the template; what reading throws.
 */
export async function rendered(path: string, client: CofferClient, io: Io): Promise<string> {
  const [{ compile }, { sprig }, { readingFunctions }, { TemplateError }] = await Promise.all([
    import('../../template/evaluate.ts'),
    import('../../template/sprig/sprig.ts'),
    import('../agent/reading.ts'),
    import('../../template/error.ts'),
  ]);
  const source = readText(pathOf(path, io.cwd));
  const leases = {
    credentials: () =>
      Promise.reject(failure('dynamicSecret is for coffer agent', 'See: coffer dynamic-secrets lease create --help')),
  };
  try {
    return await compile(source, { ...sprig, ...readingFunctions({ client, io, leases }, new Map()) }).render();
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw failure(`${path}${error.line === undefined ? '' : `, line ${error.line}`}: ${error.message}`);
  }
}
