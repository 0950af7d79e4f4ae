import { CofferError } from '@coffer/client';
import { useMemo } from 'react';
import { FormContext, type FormSettings } from './context.ts';
import { Members } from './groups.tsx';
import type { ShapeOf } from './schema.ts';
import type { Entered } from './value.ts';

interface SchemaFormProps extends Partial<Omit<FormSettings, 'faults' | 'entered'>> {
  readonly shape: ShapeOf<'object'>;
  readonly value: Entered;
  readonly onChange: (value: Entered) => void;
  /** Of the last attempt: its faults stand beside their fields. */
  readonly error?: unknown;
}

const NOTHING = {};
const NONE: readonly string[] = [];

/** The fields of an input that a JSON schema describes. What is entered is the caller's state: `startOf` and `sentOfObject`. */
export function SchemaForm({
  shape,
  value,
  onChange,
  error,
  isUpdate = false,
  parts = NOTHING,
  prominent = NONE,
  suggestions = NOTHING,
}: SchemaFormProps) {
  const settings = useMemo(
    () => ({ entered: value, faults: faultsOf(error), isUpdate, parts, prominent, suggestions }),
    [value, error, isUpdate, parts, prominent, suggestions],
  );
  return (
    <FormContext value={settings}>
      <Members path="" shape={shape} value={value} onChange={onChange} />
    </FormContext>
  );
}

/** What the server says of each field, by its path. */
function faultsOf(error: unknown): ReadonlyMap<string, string> {
  if (!(error instanceof CofferError)) return new Map();
  const named = (error.details as { fields?: unknown } | undefined)?.fields;
  const fields = Array.isArray(named) ? named.map((name) => [String(name), error.message] as const) : [];
  return new Map([...fields, ...(error.issues ?? []).map(({ path, message }) => [path.join('.'), message] as const)]);
}
