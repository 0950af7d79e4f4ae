import { Code } from '../../ui/code.tsx';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { download, fileName } from '../../ui/download.ts';
import { Row } from '../../ui/field.tsx';
import { Note } from '../../ui/note.tsx';
import styles from './chain.module.css';
import { certificatesIn } from './pem.ts';

/** A certificate as the server answers it. */
export interface Issued {
  readonly certificate: string;
  readonly certificateChain: string | null;
  readonly privateKey?: string | null;
  readonly certificateId: string;
}

/** PEM files one after another. */
const joined = (...parts: readonly (string | null | undefined)[]): string =>
  parts
    .filter((part) => part)
    .map((part) => `${part!.trim()}\n`)
    .join('');

const PEM = 'application/x-pem-file';

/** The files of a certificate. */
export function PemDownloads({
  of: { certificate, certificateChain, privateKey },
}: {
  readonly of: Omit<Issued, 'certificateId'>;
}) {
  const name = certificatesIn(certificate)[0]?.subject ?? 'certificate';
  const save = (extension: string, text: string) => download(fileName(name, extension), text, PEM);
  return (
    <div className={styles['files']}>
      <Row>
        <Button onClick={() => save('pem', joined(certificate))}>Certificate</Button>
        {certificateChain && (
          <>
            <Button onClick={() => save('chain.pem', joined(certificateChain))}>Chain</Button>
            <Button onClick={() => save('fullchain.pem', joined(certificate, certificateChain))}>
              Certificate and chain
            </Button>
          </>
        )}
        {privateKey && <Button onClick={() => save('key.pem', joined(privateKey))}>Private key</Button>}
      </Row>
    </div>
  );
}

interface IssuedDialogProps {
  readonly title?: string;
  readonly of: Issued;
  readonly onClose: () => void;
}

/** A certificate with its private key, as long as the dialog is open. */
export function IssuedDialog({ title = 'The certificate is issued', of: issued, onClose }: IssuedDialogProps) {
  const { certificate, certificateChain, privateKey } = issued;
  return (
    <Dialog look="wide" title={title} onClose={onClose}>
      {privateKey && (
        <Note kind="warn">The private key is in this dialog only. Keep it where the certificate is used.</Note>
      )}
      <h3>Download</h3>
      <PemDownloads of={issued} />
      {privateKey && (
        <>
          <h3>Private key</h3>
          <Code label="Private key">{privateKey}</Code>
        </>
      )}
      <h3>Certificate</h3>
      <Code label="Certificate">{joined(certificate)}</Code>
      {certificateChain && (
        <>
          <h3>Chain</h3>
          <Code label="Chain">{joined(certificateChain)}</Code>
        </>
      )}
      <Actions>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </Actions>
    </Dialog>
  );
}
