import { useNavigate } from '@tanstack/react-router';
import { Dialog } from '../../ui/dialog.tsx';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import type { ShapeOf } from '../../ui/schema-form/schema.ts';
import { toast } from '../../ui/toast.tsx';
import { usePlace, type Place, type ReadDynamicSecret } from './place.ts';
import { variantsOf } from './providers.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface UpdateProps {
  readonly place: Place;
  readonly of: ReadDynamicSecret;
  readonly onClose: () => void;
}

export function UpdateDynamicSecret({ place, of: secret, onClose }: UpdateProps) {
  const { projectId } = usePlace();
  const navigate = useNavigate();
  const { name, type } = secret;
  return (
    <Dialog look="wide" title={texts.updateName(name)} onClose={onClose}>
      <OperationForm
        area="dynamicSecrets"
        procedure="update"
        like="create"
        given={{ ...place, name }}
        within={{ shape: (whole) => shapeOfUpdate(whole, type), input: (data) => ({ data }) }}
        update={{ current: { ...secret, newName: name }, partial: ['inputs'] }}
        submit={words.checkAndSave}
        onCancel={onClose}
        onDone={({ dynamicSecret }) => {
          toast(texts.isUpdated(dynamicSecret.name));
          onClose();
          navigate({
            to: '/projects/$projectId/dynamic-secrets/$name',
            params: { projectId, name: dynamicSecret.name },
            search: { environment: place.environmentSlug, path: place.path },
          }).catch(() => undefined);
        }}
      />
    </Dialog>
  );
}

/** What can be changed, as it is entered at creation: the name is then `newName`, and the provider stays. */
function shapeOfUpdate(whole: ShapeOf<'object'>, type: string): ShapeOf<'object'> {
  const provider = variantsOf(whole).find(({ name }) => name === type)?.shape;
  const inputs = provider?.kind === 'object' ? provider.members.filter(({ name }) => name === 'inputs') : [];
  const others = whole.members.filter(({ name }) =>
    ['name', 'defaultTTL', 'maxTTL', 'usernameTemplate', 'metadata'].includes(name),
  );
  const renamed = others.map((member) => (member.name === 'name' ? { ...member, name: 'newName' } : member));
  return { ...whole, members: [...renamed, ...inputs] };
}
