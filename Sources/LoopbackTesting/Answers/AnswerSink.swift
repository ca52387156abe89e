import HTTPTypes

/// Where an answer is written to: a connection of HTTP/1.1, or a stream of HTTP/2.
protocol AnswerSink: Sendable {
  /// Writes an informational head.
  func informational(_ status: Int) async throws
  /// Writes the head; `isWhole` says that nothing follows it.
  func head(of answer: LoopbackAnswer, to method: HTTPRequest.Method, isWhole: Bool) async throws
  /// Writes content.
  func content(_ bytes: [UInt8], of answer: LoopbackAnswer) async throws
  /// Writes what tells the end.
  func end(of answer: LoopbackAnswer, to method: HTTPRequest.Method, isWhole: Bool) async throws
  /// Writes bytes that belong to no protocol.
  func garbage(_ bytes: [UInt8]) async throws
  /// Refuses to act.
  func refuse() async
  /// Ends the stream with an error code.
  func resetStream(_ code: UInt32) async
  /// Announces the end of the connection; returns whether this exchange goes on.
  func goAway(_ code: UInt32, processed: Bool) async -> Bool
  /// Closes the connection in order.
  func close() async
  /// Breaks the connection.
  func reset() async
  /// Returns once the client, or the server's end, has closed the stream or the connection.
  func waitForClose() async
}
