import ArgumentParser
import Foundation
import Interception
import Synchronization
import ToolCommands

/// Receives SIGINT and SIGTERM while a command runs.
///
/// The first signal cancels the command, which then removes what is not complete; the second one ends the
/// process at once.
private final class Interruption: Sendable {
  private struct State {
    var received: Int32?
    var cancel: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  // Dispatch does not mark its sources as Sendable; they are only released.
  nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

  /// Starts to catch the signals, which then no longer end the process.
  init() {
    // A reader that closes its end of a pipe is an error of writing, and no end of the process.
    signal(SIGPIPE, SIG_IGN)
    let queue = DispatchQueue(label: "signals")
    let numbers = [SIGINT, SIGTERM]
    sources = numbers.map { number in
      signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number, queue: queue)
    }
    for (number, source) in zip(numbers, sources) {
      source.setEventHandler { [weak self] in self?.receive(number) }
      source.resume()
    }
  }

  /// The status by the conventions of shells, if a signal was received.
  var status: ExitStatus? { state.withLock { $0.received.map { ExitStatus(rawValue: 128 + $0) } } }

  /// Calls a closure when the first signal is received, or at once if it has been.
  func whenReceived(_ cancel: @escaping @Sendable () -> Void) {
    let isReceived = state.withLock { state in
      state.cancel = cancel
      return state.received != nil
    }
    if isReceived { cancel() }
  }

  private func receive(_ number: Int32) {
    let (isFirst, cancel) = state.withLock { state in
      defer { state.received = state.received ?? number }
      return (state.received == nil, state.cancel)
    }
    guard isFirst else { _exit(128 + number) }
    cancel?()
  }
}

extension ParsableCommand {
  /// Runs the work of a command in a task that a signal cancels, prints its error, and exits with its status.
  func perform(
    _ color: ColorChoice = .auto, _ work: @escaping @Sendable () async throws -> Void
  ) async throws {
    let interruption = Interruption()
    let task = Task { try await work() }
    interruption.whenReceived { task.cancel() }
    var failure: ToolFailure?
    do {
      try await task.value
    } catch let error as ToolFailure {
      failure = error
    } catch let error as NetworkError {
      failure = ToolFailure(error)
    } catch is CancellationError {
      failure = ToolFailure(.interrupted, "")
    } catch {
      failure = ToolFailure(.other, Printable.text("\(error)"))
    }
    if let status = interruption.status {
      Terminal.note("interrupted")
      throw ExitCode(status.rawValue)
    }
    guard let failure else { return }
    if !failure.description.isEmpty {
      // The facts and the remedy, if there are some, follow in lines of their own.
      let lines = "switchyard: \(failure)".split(separator: "\n", maxSplits: 1).map(String.init)
      let rest = lines.dropFirst()
      try? Terminal.error.lines([Terminal.error.ink(color)(.red, lines[0])] + rest)
    }
    throw ExitCode(failure.status.rawValue)
  }
}
