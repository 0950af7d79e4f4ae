import { useNavigate } from '@tanstack/react-router';
import { Creation } from '../../ui/creation.tsx';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { usePlace, type Place } from './place.ts';
import { useProviders } from './providers.ts';
import { usualInputs } from './usual-inputs.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

export function NewDynamicSecret({ place }: { readonly place: Place }) {
  const { projectId } = usePlace();
  const providers = useProviders();
  const navigate = useNavigate();
  return (
    <Creation what={texts.dynamicSecret} types={providers} typeOf={(type) => type}>
      {({ id }, close) => (
        <OperationForm
          area="dynamicSecrets"
          procedure="create"
          given={place}
          only={{ provider: [id] }}
          initial={{ defaultTTL: '1h', maxTTL: '24h', provider: { type: id, inputs: usualInputs[id] } }}
          submit={words.checkAndCreate}
          onCancel={close}
          onDone={({ dynamicSecret: { name } }) =>
            void navigate({
              to: '/projects/$projectId/dynamic-secrets/$name',
              params: { projectId, name },
              search: { environment: place.environmentSlug, path: place.path },
            })
          }
        />
      )}
    </Creation>
  );
}
