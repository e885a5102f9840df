/** Why nothing can be moved, in a sentence for the operator; what was copied before stays. */
export class MoveRefusal extends Error {
  override readonly name = "MoveRefusal";
}
