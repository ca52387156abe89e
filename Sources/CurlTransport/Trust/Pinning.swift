/// The pins of one transfer's host, and who is told of a key that is not among them.
struct Pinning: Sendable {
  let entry: PublicKeyPins.Entry
  let report: (@Sendable (PinMismatch) -> Void)?
}
