import { Plus, X } from 'lucide-react';
import { useContext, type ReactNode } from 'react';
import { Button, IconButton } from '../button.tsx';
import { CheckField, SelectField, TextField } from '../field.tsx';
import { FormContext, type FieldProps } from './context.ts';
import { ChoicePart, ChoicesPart, FlagPart, NumberPart, TextPart } from './scalars.tsx';
import type { Member, ShapeOf } from './schema.ts';
import styles from './schema-form.module.css';
import { followed, isEntered, ofVariant, startOf, variantOf, type Entered, type Pair } from './value.ts';
import { labelOf, optionLabel } from './words.ts';
import { texts } from './texts.ts';
import { words } from '../words.texts.ts';

/** The name of a part: that of an item is `list.*`, wherever it is in the list. */
const partOf = (path: string): string => path.replaceAll(/(?<=\.)\d+(?=\.|$)/g, '*');

/** The field of one value, whatever it is. */
function Field(props: FieldProps): ReactNode {
  const Own = useContext(FormContext).parts[partOf(props.path)];
  if (Own) return <Own {...props} />;
  const { shape } = props;
  switch (shape.kind) {
    case 'text':
      return <TextPart {...props} shape={shape} />;
    case 'number':
      return <NumberPart {...props} shape={shape} />;
    case 'flag':
      return <FlagPart {...props} shape={shape} />;
    case 'choice':
      return <ChoicePart {...props} shape={shape} />;
    case 'fixed':
      return null;
    case 'list':
      return <ListPart {...props} shape={shape} />;
    case 'map':
      return <MapPart {...props} shape={shape} />;
    case 'object':
    case 'union':
      return <ObjectPart {...props} shape={shape} />;
  }
}

interface GroupProps extends Pick<FieldProps, 'name' | 'path' | 'shape'> {
  readonly children: ReactNode;
}

function Group({ name, path, shape, children }: GroupProps) {
  const fault = useContext(FormContext).faults.get(path);
  return (
    <fieldset className={styles['group']}>
      <legend>{labelOf(name)}</legend>
      {shape.hint && <p className={styles['hint']}>{shape.hint}</p>}
      {children}
      {fault && (
        <p className={styles['error']} role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  );
}

/** An object or a union in another object. One that may be absent is so until it is wanted. */
function ObjectPart(props: FieldProps<ShapeOf<'object' | 'union'>>) {
  const { name, path, shape, value, isRequired, onChange } = props;
  const isThere = isEntered(value);
  const fields =
    shape.kind === 'object' ? (
      <Members path={path} shape={shape} value={isThere ? value : {}} onChange={onChange} />
    ) : (
      <Union path={path} shape={shape} value={isThere ? value : {}} onChange={onChange} />
    );
  if (isRequired && isWrapper(shape)) return fields;
  const choice = !isRequired && shape.initial === undefined && (
    <CheckField
      label={texts.setLabel(labelOf(name).toLowerCase())}
      checked={isThere}
      onChange={(event) => onChange(event.target.checked ? startOf(shape, {}) : undefined)}
    />
  );
  if (!isThere) return choice;
  return (
    <Group name={name} path={path} shape={shape}>
      {choice}
      {fields}
    </Group>
  );
}

/** Whether it has nothing but another group: one frame is enough. */
function isWrapper(shape: ShapeOf<'object' | 'union'>): boolean {
  const [inner, ...others] = shape.kind === 'union' ? shape.variants.map((variant) => variant.shape) : [shape];
  const shown = inner?.kind === 'object' && others.length === 0 ? inner.members.filter((one) => !isFixed(one)) : [];
  return shown.length === 1 && (shown[0]?.shape.kind === 'object' || shown[0]?.shape.kind === 'union');
}

interface ValuesProps<Kind extends 'object' | 'union'> {
  readonly path: string;
  readonly shape: ShapeOf<Kind>;
  readonly value: Entered;
  readonly onChange: (value: Entered) => void;
}

function Union({ path, shape, value, onChange }: ValuesProps<'union'>) {
  const { by, variants } = shape;
  const variant = variantOf(shape, value) ?? variants[0];
  if (!variant) return null;
  const choose = (name: string) => {
    const next = variants.find((one) => one.name === name);
    if (next) onChange({ ...(startOf(next.shape, value) as Entered), ...(by !== undefined && { [by]: name }) });
  };
  return (
    <>
      {by !== undefined && variants.length > 1 && (
        <SelectField label={labelOf(by)} value={variant.name} onChange={(event) => choose(event.target.value)}>
          {variants.map(({ name, title }) => (
            <option key={name} value={name}>
              {title ?? optionLabel(name)}
            </option>
          ))}
        </SelectField>
      )}
      {variant.shape.kind === 'object' && (
        <Members path={path} shape={variant.shape} value={value} onChange={onChange} />
      )}
    </>
  );
}

/** From so many optional fields on, they stand below the others. */
const MANY = 3;

/** There is nothing to enter. */
const isFixed = ({ shape, isRequired }: Member) =>
  shape.kind === 'fixed' || (shape.kind === 'choice' && isRequired && shape.options.length === 1);

/** The fields of an object: those that are needed, prominent ones in the order of these, then the others. */
export function Members({ path, shape, value, onChange }: ValuesProps<'object'>) {
  const { parts, prominent, faults, isUpdate } = useContext(FormContext);
  const members = inOrder(
    shape.members.filter((member) => !isFixed(member)),
    ({ name }) => prominent.indexOf(partOf(pathOf(path, name))),
  );
  const isNeeded = ({ name, shape: own, isRequired }: Member) =>
    isRequired ||
    partOf(pathOf(path, name)) in parts ||
    prominent.includes(partOf(pathOf(path, name))) ||
    (isUpdate && own.kind === 'text' && own.isSecret);
  const optional = members.filter((member) => !isNeeded(member));
  const set = (name: string, next: unknown) => onChange(withFollowers(shape, { ...value, [name]: next }, name));
  const fieldOf = ({ name, shape: own, isRequired }: Member) => (
    <Field
      key={`${name} ${own.kind === 'union' && own.follows !== undefined ? String(value[own.follows]) : ''}`}
      name={name}
      path={pathOf(path, name)}
      shape={ofVariant(own, value)}
      value={value[name]}
      isRequired={isRequired}
      onChange={(next) => set(name, next)}
    />
  );
  // What there is, is found at once when it is updated.
  const isWhole = isUpdate && path === '';
  if (isWhole || optional.length < MANY || optional.length === members.length) return members.map(fieldOf);
  const hasFault = optional.some(({ name }) =>
    [...faults.keys()].some((at) => `${at}.`.startsWith(`${pathOf(path, name)}.`)),
  );
  return (
    <>
      {members.filter(isNeeded).map(fieldOf)}
      <details className={styles['more']} open={hasFault || undefined}>
        <summary>{texts.moreOptions(optional.length)}</summary>
        {optional.map(fieldOf)}
      </details>
    </>
  );
}

/** Needed ones first, unless they are among the prominent ones. */
const inOrder = (members: readonly Member[], prominence: (member: Member) => number): Member[] => {
  const rank = (member: Member) => {
    const place = prominence(member);
    return place === -1 ? (member.isRequired ? -1 : Infinity) : place;
  };
  // A difference of infinities is no number, and means the same place.
  return members.toSorted((one, other) => rank(one) - rank(other) || 0);
};

const pathOf = (path: string, name: string | number): string => (path === '' ? String(name) : `${path}.${name}`);

/** Another choice gives the unions that follow it another variant; what both have stays. */
function withFollowers({ members }: ShapeOf<'object'>, value: Entered, changed: string): Entered {
  const next = { ...value };
  for (const { name, shape } of members)
    if (shape.kind === 'union' && shape.follows === changed) {
      const variant = followed(shape, value);
      if (variant) next[name] = startOf(variant.shape, value[name]);
    }
  return next;
}

function ListPart({ name, path, shape, value, isRequired, onChange }: FieldProps<ShapeOf<'list'>>) {
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
  const { item } = shape;
  if (item.kind === 'choice')
    return <ChoicesPart {...{ name, path, shape, value, isRequired, onChange }} options={item.options} />;
  return (
    <Group name={name} path={path} shape={shape}>
      {items.map((one, index) => (
        <div key={index} className={styles['item']}>
          <Field
            name={`${name} ${index + 1}`}
            path={pathOf(path, index)}
            shape={item}
            value={one}
            isRequired
            onChange={(next) => onChange(items.with(index, next))}
          />
          <Remove what={`${labelOf(name)} ${index + 1}`} onClick={() => onChange(items.toSpliced(index, 1))} />
        </div>
      ))}
      <Add name={name} onClick={() => onChange([...items, startOf(item)])} />
    </Group>
  );
}

function MapPart({ name, path, shape, value, onChange }: FieldProps<ShapeOf<'map'>>) {
  const pairs = Array.isArray(value) ? (value as readonly Pair[]) : [];
  return (
    <Group name={name} path={path} shape={shape}>
      {pairs.map(([key, one], index) => (
        <div key={index} className={styles['pair']}>
          <TextField
            label={texts.nameNumber(index + 1)}
            required
            value={key}
            onChange={(event) => onChange(pairs.with(index, [event.target.value, one]))}
          />
          <Field
            name={texts.valueNumber(index + 1)}
            path={pathOf(path, key)}
            shape={shape.item}
            value={one}
            isRequired
            onChange={(next) => onChange(pairs.with(index, [key, next]))}
          />
          <Remove what={`${labelOf(name)} ${index + 1}`} onClick={() => onChange(pairs.toSpliced(index, 1))} />
        </div>
      ))}
      <Add name={name} onClick={() => onChange([...pairs, ['', startOf(shape.item)]])} />
    </Group>
  );
}

const Remove = ({ what, onClick }: { readonly what: string; readonly onClick: () => void }) => (
  <span className={styles['remove']}>
    <IconButton label={texts.removeWhat(what)} onClick={onClick}>
      <X size={16} />
    </IconButton>
  </span>
);

const Add = ({ name, onClick }: { readonly name: string; readonly onClick: () => void }) => (
  <p>
    <Button onClick={onClick} aria-label={texts.addTo(labelOf(name))}>
      <Plus size={16} aria-hidden /> {words.add}
    </Button>
  </p>
);
