import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(5)))
struct TypedWaitingTests {
  @Test func `a result comes through, an error with its type`() async throws {
    let value: Int = try await waitForResult {
      $0.resume(returning: .success(1))
    } onCancel: {
    }
    #expect(value == 1)
    let error = await failure { () throws(NetworkError) -> Int in
      try await waitForResult {
        $0.resume(returning: .failure(NetworkError(.offline, "no network")))
      } onCancel: {
      }
    }
    #expect(error?.kind == .offline)
  }

  @Test func `a cancelled task is told before it starts to wait`() async {
    let wasTold = Watched(false)
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      let value: Bool? = try? await waitForResult {
        $0.resume(returning: .success(wasTold.value))
      } onCancel: {
        wasTold.update { $0 = true }
      }
      #expect(value == true)
    }.value
  }
}
