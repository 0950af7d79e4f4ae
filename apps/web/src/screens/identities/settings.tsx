import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { CheckField, inputClass, Row, SelectField, TextField } from '../../ui/field.tsx';
import { toast } from '../../ui/toast.tsx';
import { PlannedForm } from '../access/planned-form.tsx';
import { usePlannedChange } from '../access/planned.ts';
import { useOrganizationRoles } from '../access/project-roles.ts';
import type { Membership } from './membership.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface Entry {
  readonly key: string;
  readonly value: string;
}

/** Name, role and metadata of a machine identity. Only what differs is sent: who may change a part may not change all. */
export function Settings({ membership, onClose }: { readonly membership: Membership; readonly onClose: () => void }) {
  const { identityId, identity, role, customRole } = membership;
  const given = membership.metadata.map(({ key, value }): Entry => ({ key, value }));
  const present = customRole?.slug ?? role;
  const roles = useOrganizationRoles();
  const planned = usePlannedChange('identities', 'update', {
    common: { identityId },
    affects: ['identities', 'projectIdentities'],
  });
  const [name, setName] = useState(identity.name);
  const [slug, setSlug] = useState(present);
  const [isProtected, setProtected] = useState(identity.hasDeleteProtection);
  const [metadata, setMetadata] = useState<readonly Entry[]>(given);
  const kept = metadata.filter(({ key }) => key.trim());
  const changes = {
    ...(name.trim() !== identity.name && { name: name.trim() }),
    ...(slug !== present && { role: slug }),
    ...(isProtected !== identity.hasDeleteProtection && { hasDeleteProtection: isProtected }),
    ...(JSON.stringify(kept) !== JSON.stringify(given) && { metadata: [...kept] }),
  };
  return (
    <Dialog title={texts.changeName(identity.name)} onClose={onClose}>
      <PlannedForm
        planned={planned}
        input={name.trim() && Object.keys(changes).length > 0 ? changes : undefined}
        submit={words.save}
        onCancel={onClose}
        onDone={() => {
          toast(texts.isSaved(name));
          onClose();
        }}
      >
        <TextField label={words.name} required value={name} onChange={(event) => setName(event.target.value)} />
        <SelectField label={words.roleInTheOrganization} value={slug} onChange={(event) => setSlug(event.target.value)}>
          {!roles.some((one) => one.slug === slug) && <option value={slug}>{slug}</option>}
          {roles.map((one) => (
            <option key={one.slug} value={one.slug}>
              {one.name}
            </option>
          ))}
        </SelectField>
        <CheckField
          label={texts.protectedFromDeletion}
          checked={isProtected}
          onChange={(event) => setProtected(event.target.checked)}
        />
        <Metadata value={metadata} onChange={setMetadata} />
      </PlannedForm>
    </Dialog>
  );
}

/** Facts that conditions of rules can name: `{{identity.metadata.team}}`. */
function Metadata({
  value,
  onChange,
}: {
  readonly value: readonly Entry[];
  readonly onChange: (value: readonly Entry[]) => void;
}) {
  const set = (index: number, entry: Entry) => onChange(value.with(index, entry));
  return (
    <section aria-label={words.metadata}>
      <h3>{words.metadata}</h3>
      {value.map((entry, index) => (
        <Row key={index}>
          <input
            className={inputClass()}
            aria-label={texts.keyNumber(index + 1)}
            placeholder={texts.exampleKey}
            value={entry.key}
            onChange={(event) => set(index, { ...entry, key: event.target.value })}
          />
          <input
            className={inputClass()}
            aria-label={texts.valueNumber(index + 1)}
            value={entry.value}
            onChange={(event) => set(index, { ...entry, value: event.target.value })}
          />
          <IconButton label={texts.removeEntry(index + 1)} onClick={() => onChange(value.toSpliced(index, 1))}>
            <X size={16} />
          </IconButton>
        </Row>
      ))}
      <p>
        <Button kind="quiet" onClick={() => onChange([...value, { key: '', value: '' }])}>
          <Plus size={16} aria-hidden /> {words.metadata}
        </Button>
      </p>
    </section>
  );
}
