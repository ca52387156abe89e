import Dispatch
import Foundation

/// The signals that ask a server to stop: SIGTERM and SIGINT.
public enum TerminationSignals {
  /// Returns when the process receives one of them, or when the task is cancelled.
  public static func received() async {
    let (signals, arrival) = AsyncStream.makeStream(of: Void.self)
    let numbers = [SIGTERM, SIGINT]
    let sources = numbers.map { number in
      // The default action would end the process before the source is told.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { arrival.finish() }
      source.resume()
      return source
    }
    for await _ in signals {}
    for (number, source) in zip(numbers, sources) {
      source.cancel()
      signal(number, SIG_DFL)
    }
  }
}
