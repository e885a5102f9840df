import type { AdvertiserPage } from "@offers/contract/dash/operator";
import { useState } from "preact/hooks";
import { change, Refused } from "../api.ts";
import { exactMoneyText } from "../money.ts";
import { useChanging } from "../parts/changing.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { errorOf, SelectField, TextField } from "../parts/field.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Notice } from "../parts/notice.tsx";

type Parts = {
  account: AdvertiserPage;
  onClose: () => void;
  onPaid: () => void;
  /** Nothing was paid: what the page shows may be old. */
  onRefused: () => void;
};

/** Asks what an advertiser pays in. */
export function Deposit({ account, onClose, onPaid, onRefused }: Parts) {
  const [amount, setAmount] = useState("");
  const [note, setNote] = useState("");
  const { send, isBusy, error } = usePaying("deposits", account, { onPaid, onRefused });
  const { currency, balanceMicros } = account;
  return (
    <FormDialog
      title={`Deposit for ${account.name}`}
      does="Pay in"
      isHeld={isBusy || amount.trim() === ""}
      onSend={() => void send({ amount, ...(note.trim() && { note }) })}
      onClose={onClose}
    >
      <Amount
        currency={currency}
        value={amount}
        onValue={setAmount}
        error={error}
        hint={
          currency
            ? `Left now: ${exactMoneyText(balanceMicros, currency)}.`
            : "In the currency that its first offer will have."
        }
      />
      <TextField
        label="Note"
        value={note}
        onValue={setNote}
        autocomplete="off"
        error={errorOf(error, "note")}
        hint="If you like, such as the number of an invoice: the ledger shows it."
      />
      <Otherwise error={error} />
    </FormDialog>
  );
}

const ways = [
  { value: "back", says: "Take money back" },
  { value: "more", says: "Add money" },
] as const;

/** Asks what is to be put right of what an advertiser has paid in, and once more before money is taken away. */
export function Adjustment({ account, onClose, onPaid, onRefused }: Parts) {
  const [way, setWay] = useState<(typeof ways)[number]["value"]>("back");
  const [amount, setAmount] = useState("");
  const [note, setNote] = useState("");
  const [isAsking, setAsking] = useState(false);
  const { send, isBusy, error } = usePaying("adjustments", account, { onPaid, onRefused });
  const { currency, balanceMicros, name } = account;
  const left = exactMoneyText(balanceMicros, currency);
  // A minus that is typed is no amount, whichever way it goes: with a second one it is refused at its field.
  const isMinus = way === "back" || amount.trim().startsWith("-");
  const adjust = () => send({ amount: isMinus ? `-${amount.trim()}` : amount, note });
  return (
    <>
      <FormDialog
        title={`Adjust what ${name} has paid in`}
        does={way === "back" ? "Take back" : "Add"}
        isHeld={isBusy || amount.trim() === "" || note.trim() === ""}
        onSend={() => (way === "back" ? setAsking(true) : void adjust())}
        onClose={onClose}
      >
        <SelectField label="What to do" value={way} choices={ways} onValue={setWay} />
        <Amount
          currency={currency}
          value={amount}
          onValue={setAmount}
          error={error}
          hint={way === "back" ? `At most what is left: ${left}.` : `Left now: ${left}.`}
        />
        <TextField
          label="What for"
          value={note}
          onValue={setNote}
          autocomplete="off"
          required
          error={errorOf(error, "note")}
          hint="The ledger shows it."
        />
        <Otherwise error={error} />
      </FormDialog>
      {isAsking && (
        <Confirm
          title={`Take ${[amount.trim(), currency ?? ""].join(" ").trim()} back from ${name}?`}
          does="Take it back"
          onConfirm={async () => {
            await adjust();
            setAsking(false);
          }}
          onClose={() => setAsking(false)}
        >
          <p>It is taken from what is left, {left}. Its offers are shown for as long as the rest lasts.</p>
        </Confirm>
      )}
    </>
  );
}

const usePaying = (
  what: "deposits" | "adjustments",
  { advertiserId, currency, depositedMicros }: AdvertiserPage,
  { onPaid, onRefused }: Pick<Parts, "onPaid" | "onRefused">,
) => {
  const { run, isBusy, error } = useChanging();
  const send = async (payment: { amount: string; note?: string }) => {
    const body = { ...payment, depositedMicros, ...(currency && { currency }) };
    const isPaid = await run(async () => {
      try {
        await change("post", `operator/advertisers/${advertiserId}/${what}`, body);
      } catch (thrown) {
        // Only a refused field says that nothing was paid: without an answer it may have been, and what this page
        // knows of the deposits keeps it from being done twice.
        if (thrown instanceof Refused && thrown.errors.length > 0) onRefused();
        throw thrown;
      }
    });
    if (isPaid) onPaid();
  };
  return { send, isBusy, error };
};

const amountError = (error: Refused | undefined) => errorOf(error, "amount") ?? errorOf(error, "micros");

function Amount({
  currency,
  error,
  ...field
}: {
  currency: string | null;
  value: string;
  onValue: (value: string) => void;
  hint: string;
  error: Refused | undefined;
}) {
  return (
    <TextField
      label={currency ? `Amount in ${currency}` : "Amount"}
      inputMode="decimal"
      placeholder="250.00"
      autocomplete="off"
      error={amountError(error)}
      {...field}
    />
  );
}

/** What is wrong with none of the fields. */
function Otherwise({ error }: { error: Refused | undefined }) {
  if (!error || amountError(error) || errorOf(error, "note")) return null;
  return <Notice tone="bad">{error.message}</Notice>;
}
