import { Alert, Button } from '@mantine/core';

interface Props {
  readonly label: string;
  /** Why the server refused; null when it did not. */
  readonly refusal: string | null;
  readonly isBusy: boolean;
  readonly isDisabled?: boolean;
}

/** The end of a form without a session: the refusal, and the button that sends the form. */
export function Submit({ label, refusal, isBusy, isDisabled = false }: Props) {
  return (
    <>
      {refusal ? (
        <Alert color="red" role="alert">
          {refusal}
        </Alert>
      ) : null}
      <Button type="submit" loading={isBusy} disabled={isDisabled} fullWidth>
        {label}
      </Button>
    </>
  );
}
