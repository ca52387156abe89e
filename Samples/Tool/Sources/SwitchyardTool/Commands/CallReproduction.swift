import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization
import ToolCommands

/// A cassette of a call, and a chain that reproduces it, which was tried.
struct CallReproduction {
  /// The call with the exchanges that the cassette has: all, or the one as which it ended.
  let replayed: RecordedCall
  let chain: CallTestChain

  /// Writes the cassette of a call, and finds a chain that reproduces the call's outcome with it.
  ///
  /// - Throws: ``ToolFailure`` with ``ExitStatus/refused`` if no chain does.
  static func find(of call: RecordedCall, writing path: String) async throws(ToolFailure) -> CallReproduction
  {
    guard !call.isCancelled else {
      throw ToolFailure(
        .refused,
        "Call \(call.number) was cancelled by its caller; no response reproduces that. Name another one.")
    }
    try await record(call, to: path)
    for chain in CallTestChain.candidates(for: call) where try await isReproduced(call, over: chain, path) {
      return CallReproduction(replayed: call, chain: chain)
    }
    // What an interceptor of the app sent, such as a login, the standard chain does not send.
    let decisive = call.decisiveExchange
    try await record(decisive, to: path)
    guard try await isReproduced(decisive, over: .bare, path) else {
      throw ToolFailure(
        .refused,
        "Call \(call.number) can't be reproduced: no chain of the library ends with \(call.outcome.word); "
          + "record it anew with HARRecorder or the inspector.")
    }
    return CallReproduction(replayed: decisive, chain: .bare)
  }

  private static func record(_ call: RecordedCall, to path: String) async throws(ToolFailure) {
    let exchanges = call.exchanges
    let recorder = RecordingDispatcher(
      over: ScriptedDispatcher { _, number throws(NetworkError) in try exchanges[number - 1].response() },
      to: path)
    for exchange in exchanges {
      // An error is recorded too.
      _ = try? await recorder.dispatch(exchange.request()).body.collect(upTo: .max)
    }
    do throws(CassetteError) { try recorder.save() } catch {
      throw ToolFailure(.unwritable, Printable.text("\(error)"))
    }
  }

  private static func isReproduced(
    _ call: RecordedCall, over chain: CallTestChain, _ path: String
  ) async throws(ToolFailure) -> Bool {
    let replay: ReplayDispatcher
    do throws(CassetteError) { replay = ReplayDispatcher(try Cassette(path: path)) } catch {
      throw ToolFailure(.unwritable, Printable.text("\(error)"))
    }
    guard let request = try? call.exchanges.first?.request() else { return false }
    return await isReproduced(call.outcome, request, over: chain, replay)
  }

  private static func isReproduced(
    _ expected: RecordedCall.Outcome, _ request: Request, over chain: CallTestChain,
    _ replay: ReplayDispatcher
  ) async -> Bool {
    let found = Mutex<RecordedCall.Outcome?>(nil)
    let report = await checkSimulation(seeds: CallTestChain.seed...CallTestChain.seed) { _ in
      ["the call"]
    } run: { run, _ in
      let pipeline = try chain.pipeline(over: replay, in: run)
      let call = run.start("the call", within: .seconds(86_400)) { try await pipeline.send(request) }
      let outcome: RecordedCall.Outcome
      do {
        let response = try await call.value
        outcome = .answered(
          status: response.status.code, body: try await response.body.collect(upTo: .max))
      } catch let error as NetworkError {
        outcome = .failed(label: error.label)
      }
      found.withLock { $0 = outcome }
    }
    return report.failure == nil && replay.unused.isEmpty && found.withLock { $0 } == expected
  }
}
