import type { Inputs, Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { useChange } from '../../app/ask.ts';
import { Button } from '../button.tsx';
import { Actions } from '../dialog.tsx';
import { ErrorNote } from '../error.tsx';
import { useForm } from '../form.ts';
import { Note } from '../note.tsx';
import { Queried } from '../query.tsx';
import type { FormSettings } from './context.ts';
import { inputSchemas, shapeOfInput } from './document.ts';
import type { JsonSchema, ShapeOf } from './schema.ts';
import { SchemaForm } from './schema-form.tsx';
import {
  changesOf,
  isEntered,
  keepingSecrets,
  narrowed,
  sentOfObject,
  startOf,
  without,
  type Entered,
} from './value.ts';
import { texts } from './texts.ts';
import { words } from '../words.texts.ts';

type Area = keyof Inputs;
type Procedure<A extends Area> = keyof Inputs[A] & keyof Outputs[A] & string;

/** What there is now, where the form changes it. */
interface Update {
  readonly current: object;
  /** The members of which only what differs is sent. */
  readonly partial?: readonly string[];
}

export interface OperationFormProps<A extends Area, P extends Procedure<A>> {
  readonly parts?: FormSettings['parts'] | undefined;
  readonly prominent?: FormSettings['prominent'] | undefined;
  readonly suggestions?: FormSettings['suggestions'] | undefined;
  readonly area: A;
  readonly procedure: P;
  /** What is sent without being asked for. */
  readonly given?: Partial<Inputs[A][P]>;
  /** What the fields have at first, besides the defaults. */
  readonly initial?: object;
  /** Fields that are not shown and not sent. */
  readonly hidden?: readonly string[];
  /** The options that are offered, of choices and unions with more. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
  readonly update?: Update;
  /** The procedure whose input has all fields, with what they need; default: the form's own. */
  readonly like?: string;
  /** Fields of a part of that input, and how they are sent. */
  readonly within?: {
    readonly shape: (whole: ShapeOf<'object'>) => ShapeOf<'object'> | undefined;
    readonly input: (sent: Entered) => object;
  };
  /** What is read again afterwards; default: the area. */
  readonly affects?: readonly Area[];
  readonly submit: string;
  readonly onDone: (output: Outputs[A][P]) => void;
  readonly onCancel?: () => void;
  /** What has been entered so far, for suggestions that depend on it. */
  readonly onEntered?: (entered: Entered) => void;
  /** Between the fields and the buttons. */
  readonly children?: ReactNode;
}

/** A form for the input of a procedure, generated from its schema in the OpenAPI document. */
export function OperationForm<A extends Area, P extends Procedure<A>>(props: OperationFormProps<A, P>) {
  const { area, procedure } = props;
  const schemas = useQuery(inputSchemas);
  return (
    <Queried query={schemas}>
      {(all) => {
        const shape = shapeFor(all, props);
        if (!shape) return <Note kind="bad">{texts.thisServerHasNoForm(area, procedure)}</Note>;
        return <Loaded {...props} whole={shape} />;
      }}
    </Queried>
  );
}

/** What is asked for: the input of the procedure, or what another one of the area knows of the same fields. */
function shapeFor<A extends Area, P extends Procedure<A>>(
  all: ReadonlyMap<string, JsonSchema>,
  { area, procedure, like = procedure, only = {}, within }: OperationFormProps<A, P>,
): ShapeOf<'object'> | undefined {
  const whole = shapeOfInput(all, area, like);
  if (!whole || within) return whole && within?.shape(whole);
  const taken = shapeOfInput(all, area, procedure)?.members.map(({ name }) => name) ?? [];
  const others = whole.members.filter(({ name }) => !taken.includes(name) && !(name in only));
  return without(
    whole,
    others.map(({ name }) => name),
  );
}

function Loaded<A extends Area, P extends Procedure<A>>({
  whole,
  ...props
}: OperationFormProps<A, P> & { readonly whole: ShapeOf<'object'> }) {
  const {
    area,
    procedure,
    given,
    initial,
    hidden = [],
    only = {},
    update,
    within,
    affects = [area],
    onEntered,
  } = props;
  const shape = useMemo(() => {
    const shown = narrowed(without(whole, [...hidden, ...Object.keys(given ?? {})]), only);
    return update ? keepingSecrets(shown) : shown;
    // What is asked for does not change while a form is open.
  }, [whole]);
  const [start] = useState(() => startOfForm(shape, update?.current ?? initial));
  const [entered, setEntered] = useState(start);
  const change = useChange(area, procedure, affects);
  const form = useForm(async () => {
    const sent = sentOfObject(shape, entered);
    const changes = update ? changesOf(sentOfObject(shape, start), sent, update.partial) : sent;
    const input = within ? within.input(changes) : changes;
    // By construction it fits the schema, from which the type was made, too; the server checks it.
    props.onDone(await change.mutateAsync({ ...input, ...given } as Inputs[A][P]));
  });
  const element = useFocus(form.error);
  return (
    <form ref={element} onSubmit={form.submit} autoComplete="off" data-operation={`${area}.${procedure}`}>
      <SchemaForm
        shape={shape}
        value={entered}
        onChange={(next) => {
          setEntered(next);
          onEntered?.(next);
        }}
        error={form.error}
        isUpdate={update !== undefined}
        {...(props.parts && { parts: props.parts })}
        {...(props.prominent && { prominent: props.prominent })}
        {...(props.suggestions && { suggestions: props.suggestions })}
      />
      {form.error !== undefined && <ErrorNote error={form.error} />}
      {props.children}
      <Actions>
        {props.onCancel && <Button onClick={props.onCancel}>{words.cancel}</Button>}
        <Button kind="primary" type="submit" isBusy={form.isBusy}>
          {props.submit}
        </Button>
      </Actions>
    </form>
  );
}

function startOfForm(shape: ShapeOf<'object'>, given: object = {}): Entered {
  const start = startOf(shape, given);
  return isEntered(start) ? start : {};
}

/** At first the first field has the focus, and after a refusal the first one with a fault. */
function useFocus(error: unknown) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), []);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return form;
}
