/// A call that an inspector has kept in a file, as ``Inspector/calls(keptIn:)`` reads it.
public struct ArchivedCall: Sendable, Hashable {
  /// The number of the call, which rises from run to run of the app.
  public let number: Int
  /// What the list of the page shows of the call, redacted: a JSON object in UTF-8.
  ///
  /// It has the call's outcome for its caller, which may differ from that of its last exchange: the member
  /// `status`, or the label of the error as the member `kind` of `error`.
  public let summary: [UInt8]
  /// The exchanges of the call as an HTTP Archive (HAR 1.2), redacted: JSON in UTF-8.
  public let archive: [UInt8]
}
