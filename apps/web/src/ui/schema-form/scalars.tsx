import { useContext, useId } from 'react';
import { Choose } from '../choose.tsx';
import { CheckField, SecretField, SelectField, TextArea, TextField } from '../field.tsx';
import { FormContext, type FieldProps } from './context.ts';
import type { Shape, ShapeOf } from './schema.ts';
import { textIn } from './value.ts';
import { labelOf, optionLabel } from './words.ts';
import { texts } from './texts.ts';
import { words } from '../words.texts.ts';

/** What explains a field: its description, an example, and that it may stay empty; a default says that itself. */
function hintOf(shape: Shape, isRequired: boolean): string | undefined {
  const example = shape.kind === 'text' && shape.example !== undefined ? texts.forExample(shape.example) : undefined;
  const isOptional = !isRequired && shape.initial === undefined;
  const parts = [shape.hint, example, isOptional && texts.optional].filter(Boolean);
  return parts.length > 0 ? parts.join('. ') : undefined;
}

/** What every field has. */
function useCommon({ name, path, shape, isRequired }: FieldProps) {
  const { faults } = useContext(FormContext);
  return { label: labelOf(name), hint: hintOf(shape, isRequired), error: faults.get(path) };
}

export function TextPart(props: FieldProps<ShapeOf<'text'>>) {
  const { shape, value, isRequired, onChange, path } = props;
  const { suggestions, isUpdate } = useContext(FormContext);
  const listId = useId();
  const offered = suggestions[path];
  const common = {
    ...useCommon(props),
    required: isRequired && shape.minLength > 0,
    minLength: shape.minLength || undefined,
    maxLength: shape.maxLength,
  };
  if (shape.isSecret)
    return (
      <SecretField
        {...common}
        onChange={onChange}
        isLong={shape.isLong}
        {...(isUpdate && { placeholder: texts.unchanged, hint: shape.hint })}
      />
    );
  if (shape.isInstant) return <InstantField {...common} value={textIn(value)} onChange={onChange} />;
  const text = { ...common, value: textIn(value), name: path };
  if (shape.isLong) return <TextArea {...text} onChange={(event) => onChange(event.target.value)} />;
  return (
    <>
      <TextField {...text} list={offered && listId} onChange={(event) => onChange(event.target.value)} />
      {offered && (
        <datalist id={listId}>
          {offered.map((one) => (
            <option key={one.value} value={one.value}>
              {one.label}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
}

interface InstantFieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly required: boolean;
  /** In ISO 8601. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** An instant, entered in the time zone of the browser. */
const InstantField = ({ value, onChange, label, hint, error, required }: InstantFieldProps) => (
  <TextField
    {...{ label, hint, error, required }}
    type="datetime-local"
    value={value && localTime(value)}
    onChange={({ target }) => onChange(target.value && new Date(target.value).toISOString())}
  />
);

/** `2026-11-28T16:04`, as `datetime-local` has it. */
function localTime(instant: string): string {
  const at = new Date(instant);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function NumberPart(props: FieldProps<ShapeOf<'number'>>) {
  const { shape, value, isRequired, onChange } = props;
  return (
    <TextField
      {...useCommon(props)}
      type="number"
      required={isRequired && !shape.isNullable}
      min={shape.min}
      max={shape.max}
      step={shape.isWhole ? 1 : 'any'}
      value={typeof value === 'number' ? value : ''}
      onChange={({ target }) => onChange(target.value === '' ? undefined : Number(target.value))}
    />
  );
}

/** Some of the options, by check boxes. */
export function ChoicesPart(props: FieldProps & { readonly options: readonly string[] }) {
  const { options, value, onChange } = props;
  return (
    <Choose
      {...useCommon(props)}
      options={options.map((id) => ({ id, label: optionLabel(id) }))}
      chosen={Array.isArray(value) ? (value as readonly string[]).filter(Boolean) : []}
      onChange={onChange}
      empty={texts.thereIsNothingToChoose}
    />
  );
}

/** A text that is a secret though its schema does not say so. */
export const SecretPart = (props: FieldProps) => (
  <SecretField
    {...useCommon(props)}
    required={props.isRequired}
    onChange={props.onChange}
    isLong={isLong(props.shape)}
  />
);
const isLong = (shape: Shape): boolean => shape.kind === 'text' && shape.isLong;

export function FlagPart(props: FieldProps<ShapeOf<'flag'>>) {
  const { label, error } = useCommon(props);
  const { shape, value, onChange } = props;
  const text = [label, shape.hint].filter(Boolean).join(': ');
  return (
    <CheckField
      label={error ? `${text} (${error})` : text}
      checked={value === true}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

export function ChoicePart(props: FieldProps<ShapeOf<'choice'>>) {
  const { shape, value, isRequired, onChange } = props;
  return (
    <SelectField
      {...useCommon(props)}
      required={isRequired}
      value={textIn(value)}
      onChange={(event) => onChange(event.target.value)}
    >
      {(!isRequired || value === '') && <option value="">{isRequired ? words.choose : words.none}</option>}
      {shape.options.map((option) => (
        <option key={option} value={option}>
          {optionLabel(option)}
        </option>
      ))}
    </SelectField>
  );
}
