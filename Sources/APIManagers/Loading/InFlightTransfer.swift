import Interception

/// A download or a streamed response whose head has not arrived yet.
struct InFlightTransfer: Sendable {
  let request: Request
  let cancel: @Sendable () -> Void
}
