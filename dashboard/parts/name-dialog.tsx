import { useState } from "preact/hooks";
import { useChanging } from "./changing.tsx";
import { errorOf, TextField } from "./field.tsx";
import { FormDialog } from "./form-dialog.tsx";
import { Notice } from "./notice.tsx";

/** Asks for the name of something new. `make` saves it and goes on; what it is refused stands in the dialog. */
export function NameDialog({
  title,
  says,
  make,
  onClose,
}: {
  title: string;
  /** What comes after it. */
  says: string;
  make: (name: string) => Promise<void>;
  onClose: () => void;
}) {
  const [name, setName] = useState("");
  const { run, isBusy, error } = useChanging();
  return (
    <FormDialog
      title={title}
      does="Add"
      isHeld={isBusy}
      onSend={() => void run(() => make(name))}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onValue={setName} required error={errorOf(error, "name")} />
      <p class="quiet">{says}</p>
      {error && !errorOf(error, "name") && <Notice tone="bad">{error.message}</Notice>}
    </FormDialog>
  );
}
