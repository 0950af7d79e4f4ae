import { Plus, Trash2 } from 'lucide-react';
import { Button, IconButton } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Badge } from '../../ui/note.tsx';
import styles from './access.module.css';
import { WindowFields, windowText } from './window-fields.tsx';
import { FOREVER, isGoodWindow, stateOf, toWindow, windowOf, type StoredWindow, type Window } from './window.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** A role as memberships have it. */
export interface HeldRole extends StoredWindow {
  readonly id: string;
  readonly role: string;
  readonly customRoleName: string | null;
  readonly customRoleSlug: string | null;
}

/** A role that can be given. */
export interface Assignable {
  readonly slug: string;
  readonly name: string;
}

/** A role in a form. */
export interface RoleChoice {
  readonly slug: string;
  readonly window: Window;
}

const KINDS = { on: undefined, upcoming: 'warn', over: 'bad' } as const;

/** The roles of a member, with the ends of those that are temporary. */
export const Roles = ({
  roles,
  known,
}: {
  readonly roles: readonly HeldRole[];
  readonly known: readonly Assignable[];
}) => (
  <span className={styles['chips']}>
    {roles.map((held) => {
      const name =
        held.customRoleName ?? known.find(({ slug }) => slug === held.role)?.name ?? held.customRoleSlug ?? held.role;
      const when = windowText(held);
      return (
        <Badge key={held.id} kind={KINDS[stateOf(held)]}>
          {name}
          {when && `, ${when}`}
        </Badge>
      );
    })}
  </span>
);

export const choicesOf = (roles: readonly HeldRole[]): RoleChoice[] =>
  roles.map((held) => ({ slug: held.customRoleSlug ?? held.role, window: windowOf(held) }));

/** As they are sent; `undefined` if something is missing. */
export const toRoles = (choices: readonly RoleChoice[], now: string) =>
  choices.length > 0 && choices.every(({ slug, window }) => slug && isGoodWindow(window))
    ? choices.map(({ slug, window }) => ({ role: slug, ...toWindow(window, now) }))
    : undefined;

interface RoleFieldsProps {
  readonly known: readonly Assignable[];
  readonly value: readonly RoleChoice[];
  readonly onChange: (value: readonly RoleChoice[]) => void;
}

/** Several roles, each for good or for a time. */
export function RoleFields({ known, value, onChange }: RoleFieldsProps) {
  const set = (index: number, next: RoleChoice) => onChange(value.map((one, at) => (at === index ? next : one)));
  const free = known.find(({ slug }) => !value.some((one) => one.slug === slug));
  return (
    <fieldset className={styles['roles']}>
      <legend>{words.roles}</legend>
      {value.map(({ slug, window }, index) => {
        const name = known.find((role) => role.slug === slug)?.name ?? slug;
        return (
          // Roles of a form are in no order but this, and two can be alike.
          <div key={index} className={styles['role']}>
            <SelectField
              label={words.role}
              aria-label={texts.roleNumber(index + 1)}
              value={slug}
              onChange={(event) => set(index, { slug: event.target.value, window })}
            >
              {!known.some((role) => role.slug === slug) && <option value={slug}>{slug}</option>}
              {known.map((role) => (
                <option key={role.slug} value={role.slug}>
                  {role.name}
                </option>
              ))}
            </SelectField>
            <WindowFields of={name} value={window} onChange={(next) => set(index, { slug, window: next })} />
            <IconButton
              label={texts.withoutRole(name)}
              disabled={value.length === 1}
              onClick={() => onChange(value.filter((_, at) => at !== index))}
            >
              <Trash2 size={16} />
            </IconButton>
          </div>
        );
      })}
      <Button disabled={!free} onClick={() => free && onChange([...value, { slug: free.slug, window: FOREVER }])}>
        <Plus size={16} aria-hidden /> {texts.oneMoreRole}
      </Button>
    </fieldset>
  );
}
