import Interception
import SwitchyardTesting
import Testing

@testable import URLSessionTransport

@Suite(.timeLimit(.minutes(5))) struct BodyCollectorTests {
  private func failure(_ body: RequestBody, limit: Int = 10) async -> NetworkError? {
    do throws(NetworkError) {
      _ = try await BodyCollector(body: body, limit: limit).bytes()
      return nil
    } catch {
      return error
    }
  }

  @Test("The chunks of a body are concatenated")
  func chunks() async throws {
    let body = RequestBody.once(length: 5, ScriptedByteSource([[1, 2], [3], [4, 5]]))
    #expect(try await BodyCollector(body: body, limit: 5).bytes() == [1, 2, 3, 4, 5])
  }

  @Test("A body beyond the limit is refused unsent, and its source is cancelled")
  func limit() async {
    let source = ScriptedByteSource([[1, 2], [3, 4], [5]])
    let error = await failure(.once(length: nil, source), limit: 3)
    #expect(error?.kind == .bodyTooLarge(limit: 3))
    #expect(error?.requestMayHaveBeenProcessed == false)
    #expect(source.isCancelled)
    #expect(source.reads == 2)
    #expect(await failure(.once(length: 11, ScriptedByteSource([])))?.kind == .bodyTooLarge(limit: 10))
    #expect(await failure(.bytes([1, 2]), limit: 1)?.kind == .bodyTooLarge(limit: 1))
  }

  @Test("A body with another length than it declares fails", arguments: [Int64(1), 4])
  func wrongLength(promised: Int64) async {
    let error = await failure(.once(length: promised, ScriptedByteSource([[1, 2, 3]])))
    #expect(error?.kind == .invalidRequest)
    #expect(error?.reason.contains("\(promised)") == true)
  }

  @Test("The error of a source is passed on")
  func sourceError() async {
    let source = ScriptedByteSource([[1]], endingWith: NetworkError(.rejected, "The disk is gone."))
    let error = await failure(.once(length: nil, source))
    #expect(error?.kind == .rejected)
    #expect(error?.reason == "The disk is gone.")
  }
}
