/// A call that an inspector has kept in a file, as ``Inspector/calls(keptIn:)`` reads it.
public struct ArchivedCall: Sendable, Hashable {
  /// The number of the call, which rises from run to run of the app.
  public let number: Int
  /// The exchanges of the call as an HTTP Archive (HAR 1.2), redacted: JSON in UTF-8.
  public let archive: [UInt8]
}
