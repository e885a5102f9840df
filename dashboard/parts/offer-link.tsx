import { useAddress } from "../address.ts";

/** An offer as its operator finds it: several of one brand are told apart by their titles, to the eye and in a list of links. */
export function OfferLink({
  offerId,
  title,
  brand,
}: {
  offerId: string;
  /** Null: the node that was asked is of an older release, and does not say. */
  title: string | null;
  brand: string | null;
}) {
  const { to } = useAddress();
  const link = to(`/operator/offers/${offerId}`);
  if (title === null) return <a href={link}>{brand}</a>;
  return (
    <a class="offer-link" href={link}>
      {title}
      <br />
      <small>
        <span class="heard">by </span>
        {brand}
      </small>
    </a>
  );
}
