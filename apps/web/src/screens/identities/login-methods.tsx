import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { Act } from '../../ui/act.tsx';
import { Button } from '../../ui/button.tsx';
import { Facts, Part, Types } from '../../ui/detail.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Note } from '../../ui/note.tsx';
import { Queried } from '../../ui/query.tsx';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { labelOf, valueText } from '../../ui/schema-form/words.ts';
import { toast } from '../../ui/toast.tsx';
import access from '../access/access.module.css';
import { ClientSecrets } from './client-secrets.tsx';
import { affectsOf, METHODS, useAttached, useDetach, type Attached, type Method } from './methods.ts';
import { AccessTokens } from './access-tokens.tsx';
import type { MayOnIdentity } from './rights.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface MethodsProps {
  readonly identityId: string;
  readonly attached: readonly string[];
  readonly may: MayOnIdentity;
}

/** How a machine identity logs in. A new method is chosen at `?attach=`. */
export function LoginMethods({ identityId, attached, may }: MethodsProps) {
  const [{ attach }, go] = useAddress();
  const free = METHODS.filter(({ id }) => !attached.includes(id));
  const chosen = free.find(({ id }) => id === attach);
  const close = () => go({ attach: undefined });
  return (
    <>
      {METHODS.filter(({ id }) => attached.includes(id)).map((method) => (
        <LoginMethod key={method.id} identityId={identityId} method={method} may={may} />
      ))}
      {attached.length === 0 && <Note kind="warn">{texts.itCannotLogInYet}</Note>}
      {may('attach') && (
        <p>
          <Button onClick={() => go({ attach: 'choose' })}>
            <Plus size={16} aria-hidden /> {texts.addLoginMethod}
          </Button>
        </p>
      )}
      {attach && may('attach') && (
        <Dialog title={chosen ? texts.addName(chosen.name) : texts.addLoginMethod} look="wide" onClose={close}>
          {chosen ? (
            <Attach identityId={identityId} method={chosen} onClose={close} />
          ) : (
            <Types of={free} onChoose={(id) => go({ attach: id })} />
          )}
        </Dialog>
      )}
    </>
  );
}

interface MethodProps {
  readonly identityId: string;
  readonly method: Method;
}

const Attach = ({ identityId, method, onClose }: MethodProps & { readonly onClose: () => void }) => (
  <OperationForm
    area={method.area}
    procedure="attach"
    given={{ identityId }}
    affects={affectsOf(method)}
    submit={texts.addName(method.name)}
    onCancel={onClose}
    onDone={() => {
      toast(texts.isAdded(method.name));
      onClose();
    }}
  />
);

/** Not for people: what it belongs to, and when it was made. */
const HIDDEN = ['id', 'identityId', 'clientId', 'createdAt', 'updatedAt'];

function LoginMethod({ identityId, method, may }: MethodProps & Pick<MethodsProps, 'may'>) {
  const attached = useAttached(method, identityId);
  const [isUpdating, setUpdating] = useState(false);
  const detach = useDetach(method);
  return (
    <Part title={method.name}>
      <Queried query={attached}>
        {({ settings, warnings }) => (
          <>
            {warnings.length > 0 && <Note kind="warn">{warnings.join(' ')}</Note>}
            {typeof settings['clientId'] === 'string' && (
              <Facts of={[[texts.clientId, <code key="id">{settings['clientId']}</code>]]} />
            )}
            {method.area === 'universalAuth' && <ClientSecrets identityId={identityId} may={may} />}
            {method.area === 'tokenAuth' && <AccessTokens identityId={identityId} may={may} />}
            <details>
              <summary>{words.settings}</summary>
              <Facts of={factsOf(settings)} />
            </details>
            {may('edit') && (
              <div className={access['buttons']}>
                <Button onClick={() => setUpdating(true)}>{texts.changeName(method.name)}</Button>
                <Act
                  label={texts.removeName(method.name)}
                  kind="danger"
                  run={() => detach.mutateAsync({ identityId })}
                  done={texts.isRemoved(method.name)}
                  ask={{
                    title: texts.removeNameQuestion(method.name),
                    children: <p>{texts.identityCannotLogInByItAnyMore}</p>,
                  }}
                />
              </div>
            )}
            {isUpdating && (
              <Update identityId={identityId} method={method} settings={settings} onClose={() => setUpdating(false)} />
            )}
          </>
        )}
      </Queried>
    </Part>
  );
}

const factsOf = (settings: Attached['settings']) =>
  Object.entries(settings)
    .filter(([field]) => !HIDDEN.includes(field))
    .map(([field, value]) => [labelOf(field), textOf(value)] as const);

/** Addresses are lists of objects with one field. */
const textOf = (value: unknown): string | undefined =>
  Array.isArray(value)
    ? value.map((one: unknown) => (isAddress(one) ? one.ipAddress : valueText(one))).join(', ')
    : valueText(value);

const isAddress = (given: unknown): given is { ipAddress: string } =>
  typeof given === 'object' && given !== null && 'ipAddress' in given;

const Update = ({
  identityId,
  method,
  settings,
  onClose,
}: MethodProps & { readonly settings: Attached['settings']; readonly onClose: () => void }) => (
  <Dialog title={texts.changeName(method.name)} look="wide" onClose={onClose}>
    <OperationForm
      area={method.area}
      procedure="update"
      given={{ identityId }}
      update={{ current: settings }}
      like="attach"
      affects={affectsOf(method)}
      submit={words.save}
      onCancel={onClose}
      onDone={() => {
        toast(texts.isSaved(method.name));
        onClose();
      }}
    />
  </Dialog>
);
