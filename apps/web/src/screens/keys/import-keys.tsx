import { useProjectId } from '../../app/project.ts';
import { useProjectRights } from '../../app/rights.ts';
import { FormButton } from '../../ui/form-button.tsx';
import { hiddenPart } from '../../ui/schema-form/choice-part.tsx';
import { OperationForm } from '../../ui/schema-form/operation-form.tsx';
import { SecretPart } from '../../ui/schema-form/scalars.tsx';
import { toast, toastFault } from '../../ui/toast.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

const PARTS = { 'keys.*.keyMaterial': SecretPart, 'keys.*.encryptionAlgorithm': hiddenPart };

/** Keys that were made elsewhere. */
export function ImportKeys() {
  const projectId = useProjectId();
  const may = useProjectRights(projectId);
  if (!may('cmek', 'import')) return null;
  return (
    <FormButton label={words.import} title={texts.importKeys}>
      {(close) => (
        <OperationForm
          area="kmsKeys"
          procedure="import"
          given={{ projectId }}
          parts={PARTS}
          prominent={['keys.*.algorithm', 'keys.*.keyUsage']}
          submit={words.import}
          onCancel={close}
          onDone={({ keys, errors }) => {
            if (keys.length > 0) toast(texts.keysImported(keys.length));
            for (const { name, message } of errors) toastFault(texts.isNotImported(name, message));
            if (errors.length === 0) close();
          }}
        />
      )}
    </FormButton>
  );
}
