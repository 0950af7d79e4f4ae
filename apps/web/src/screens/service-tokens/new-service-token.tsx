import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { ask, queryClient } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { coffer } from '../../app/session.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { EnvironmentField } from '../../ui/environment-field.tsx';
import { CheckField, Row, TextField } from '../../ui/field.tsx';
import { CreatedOnce } from '../../ui/shown-once.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';
import { secondsOfDays } from '../../ui/time.tsx';

const PERMISSIONS = ['read', 'readValue', 'write'] as const;
type Permission = (typeof PERMISSIONS)[number];

/** A folder that a token is for; without an environment, the first one of the project. */
interface Scope {
  readonly environment: string;
  readonly secretPath: string;
}
const EVERYTHING: Scope = { environment: '', secretPath: '/**' };

/** A new service token, which is shown once. */
export function NewServiceToken({ projectId, onClose }: { readonly projectId: string; readonly onClose: () => void }) {
  const may = useProjectRights(projectId);
  const { data } = useQuery(ask('projects', 'get', { projectId }));
  const first = data?.project.environments[0]?.slug ?? '';
  const [name, setName] = useState('');
  const [permissions, setPermissions] = useState<readonly Permission[]>(['read']);
  const [scopes, setScopes] = useState<readonly Scope[]>([EVERYTHING]);
  const [days, setDays] = useState('90');
  const mayBeEndless = may('service-tokens', 'create-without-expiry');
  const create = async () => {
    const { serviceToken } = await coffer.serviceTokens.create.mutate({
      workspaceId: projectId,
      name,
      permissions: [...permissions],
      scopes: scopes.map(({ environment, secretPath }) => ({ environment: environment || first, secretPath })),
      expiresIn: secondsOfDays(days),
    });
    await queryClient.invalidateQueries({ queryKey: ['serviceTokens'] });
    return serviceToken;
  };
  return (
    <CreatedOnce
      title={texts.newServiceToken}
      name={texts.serviceToken}
      note={texts.programsSendIt}
      create={create}
      onClose={onClose}
    >
      <TextField
        label={words.name}
        autoFocus
        required
        maxLength={255}
        hint={texts.whereItIsUsed}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <fieldset>
        <legend>{texts.whatItMayDo}</legend>
        {PERMISSIONS.map((one) => (
          <CheckField
            key={one}
            label={texts[one]}
            checked={permissions.includes(one)}
            onChange={({ target }) =>
              setPermissions(
                PERMISSIONS.filter((other) => (other === one ? target.checked : permissions.includes(other))),
              )
            }
          />
        ))}
      </fieldset>
      <Scopes value={scopes} environments={data?.project.environments ?? []} onChange={setScopes} />
      <TextField
        label={texts.validForInDays}
        type="number"
        min={mayBeEndless ? 0 : 1}
        max={3650}
        hint={mayBeEndless ? texts.zeroIsNoEnd : undefined}
        required
        value={days}
        onChange={({ target }) => setDays(target.value)}
      />
    </CreatedOnce>
  );
}

interface ScopesProps {
  readonly value: readonly Scope[];
  readonly environments: readonly { readonly slug: string; readonly name: string }[];
  readonly onChange: (value: readonly Scope[]) => void;
}

function Scopes({ value, environments, onChange }: ScopesProps) {
  const set = (index: number, change: Partial<Scope>) =>
    onChange(value.map((one, at) => (at === index ? { ...one, ...change } : one)));
  return (
    <fieldset>
      <legend>{texts.folders}</legend>
      {value.map(({ environment, secretPath }, index) => (
        <Row key={index}>
          <EnvironmentField
            label={texts.environmentOf(index + 1)}
            environments={environments}
            value={environment || (environments[0]?.slug ?? '')}
            onChange={(slug) => set(index, { environment: slug })}
          />
          <TextField
            label={texts.folderNumber(index + 1)}
            isMono
            required
            pattern="/.*"
            title={texts.pathOrPattern}
            hint={index === 0 && texts.pathOrPattern}
            value={secretPath}
            onChange={({ target }) => set(index, { secretPath: target.value })}
          />
          {value.length > 1 && (
            <IconButton label={texts.removeFolder(index + 1)} onClick={() => onChange(value.toSpliced(index, 1))}>
              <X size={16} />
            </IconButton>
          )}
        </Row>
      ))}
      <Button onClick={() => onChange([...value, EVERYTHING])}>
        <Plus size={16} aria-hidden /> {texts.oneMoreFolder}
      </Button>
    </fieldset>
  );
}
