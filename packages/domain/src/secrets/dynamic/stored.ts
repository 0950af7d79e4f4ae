import { columnSeal, sealedRowOf, type SealedRow } from '../../crypto/index.ts';
import { defaultsOf, type Configuration } from '../../family/index.ts';
import { DomainError, type Context } from '../../kernel/index.ts';
import { shapesOf, type AnyProvider } from './provider.ts';

const inputsOf = columnSeal('dynamic_secrets.inputs');

/** The configuration of a provider. Fields of a later release have their defaults. */
export async function openInputs(
  ctx: Context,
  provider: AnyProvider,
  row: Parameters<typeof sealedRowOf>[0] & { readonly inputs: Uint8Array },
): Promise<Configuration> {
  const stored = await inputsOf.openJson<Configuration>(ctx, sealedRowOf(row), row.inputs);
  const { success, data } = provider.inputs.safeParse(stored);
  return success ? data : { ...defaultsOf(shapesOf(provider.inputs)[0] ?? {}), ...stored };
}

export const sealInputs = (ctx: Context, row: SealedRow, inputs: Configuration): Promise<Buffer> =>
  inputsOf.sealJson(ctx, row, inputs);

/** The visible inputs. */
export const openInputsOf = (provider: AnyProvider, inputs: Configuration): Configuration =>
  Object.fromEntries(Object.entries(inputs).filter(([name]) => !provider.sealedFields.has(name)));

/**
 * The inputs after an update.
 *
 * @throws DomainError 422 with the errors of the provider's schema.
 */
export function mergeInputs(provider: AnyProvider, before: Configuration, changes: Configuration): Configuration {
  const { success, data, error } = provider.inputs.safeParse({ ...before, ...changes });
  if (success) return data;
  const issues = error.issues.map(({ path, code, message }) => ({ path: ['data', 'inputs', ...path], code, message }));
  throw new DomainError('invalid', 'input.invalid', `inputs: ${issues.map(({ message }) => message).join('; ')}`, {
    details: issues,
  });
}
