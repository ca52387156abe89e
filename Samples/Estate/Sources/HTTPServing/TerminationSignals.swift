import Dispatch
import Foundation

/// The signals that ask a server to stop: SIGTERM and SIGINT.
///
/// They belong to the process, so its entry point creates the only instance. Programs that are started while
/// another instance begins or ends could inherit that the signals are ignored.
package final class TerminationSignals: Sendable {
  private static let numbers = [SIGTERM, SIGINT]

  private let signals: AsyncStream<Void>
  // Dispatch does not mark its sources as Sendable; they are only cancelled, by the last owner.
  nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

  /// Starts to catch the signals, which then no longer end the process.
  package init() {
    let (signals, arrival) = AsyncStream.makeStream(of: Void.self)
    self.signals = signals
    sources = Self.numbers.map { number in
      // The default action would end the process before the source is notified.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { arrival.finish() }
      source.resume()
      return source
    }
  }

  deinit {
    for (number, source) in zip(Self.numbers, sources) {
      source.cancel()
      signal(number, SIG_DFL)
    }
  }

  package func received() async {
    for await _ in signals {}
  }
}
