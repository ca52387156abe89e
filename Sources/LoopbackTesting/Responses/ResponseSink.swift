#if LoopbackTesting
import HTTPTypes

/// The destination of a response: an HTTP/1.1 connection or an HTTP/2 stream.
protocol ResponseSink: Sendable {
  /// Writes an informational response head.
  func informational(_ status: Int) async throws
  /// Writes the response head; `isWhole` means that nothing follows it.
  func head(of response: LoopbackResponse, to method: HTTPRequest.Method, isWhole: Bool) async throws
  /// Writes content.
  func content(_ bytes: [UInt8], of response: LoopbackResponse) async throws
  /// Writes the end of the response.
  func end(of response: LoopbackResponse, to method: HTTPRequest.Method, isWhole: Bool) async throws
  /// Writes bytes that are not part of any protocol.
  func garbage(_ bytes: [UInt8]) async throws
  /// Refuses the request.
  func refuse() async
  /// Ends the stream with an error code.
  func resetStream(_ code: UInt32) async
  /// Announces the end of the connection; returns whether this exchange continues.
  func goAway(_ code: UInt32, processed: Bool) async -> Bool
  /// Closes the connection gracefully.
  func close() async
  /// Resets the connection.
  func reset() async
  /// Returns once the stream or the connection is closed by either side.
  func waitForClose() async
}
#endif
