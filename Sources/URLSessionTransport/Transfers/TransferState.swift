import Foundation
import HTTPTypes
import Interception

/// The mutable state of a transfer, which the transfer guards by a lock.
struct TransferState {
  /// The result of a transfer.
  enum End: Sendable {
    case complete
    case failed(NetworkError)
  }

  var deadlines: Deadlines
  var id: UInt64?
  var end: End?
  var waiter: ResultContinuation<Response>?
  var reader: ResultContinuation<Void>?
  var handle: SessionOwner.TaskHandle?
  var upload: Task<Void, Never>?
  var timer: Task<Void, Never>?
  /// The time of the timer's next check.
  var armed: Duration?

  var head: ResponseHead?
  var isStreaming = false
  var isPaused = false
  var isAbandoned = false
  var buffer: [UInt8] = []
  var peak = 0
  var metrics: TaskMetrics?

  var handedOver: Duration
  var admittedAt: Duration?
  var launchedAt: Duration?
  var firstByteAt: Duration?
  var lastByteAt: Duration?
  var sentBytes: Int64 = 0
  var decodedBytes: Int64 = 0

  init(_ options: RequestOptions, handedOver: Duration) {
    self.handedOver = handedOver
    deadlines = Deadlines(options.timeouts, handedOver: handedOver)
  }

  /// The report of the transfer so far.
  var report: TransportReport {
    let received = head?.coding == nil ? decodedBytes : (head?.announcedLength ?? 0)
    return TransportReport(
      phases: .init(
        queue: admittedAt.map { $0 - handedOver }, name: metrics?.name, connect: metrics?.connect,
        tls: metrics?.tls, firstByte: span(launchedAt, firstByteAt),
        lastByte: span(firstByteAt, lastByteAt)),
      bytes: .init(sent: sentBytes, received: received, decoded: decodedBytes),
      version: metrics?.version, connectionWasReused: metrics?.isReused ?? false,
      contentCoding: head?.coding)
  }

  private func span(_ start: Duration?, _ end: Duration?) -> Duration? {
    guard let start, let end else { return nil }
    return end - start
  }
}
