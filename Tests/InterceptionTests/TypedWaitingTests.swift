import Interception
import Synchronization
import Testing

@Suite("Waiting for a typed result", .timeLimit(.minutes(5)))
struct TypedWaitingTests {
  @Test("A value is returned, and an error is thrown with its type")
  func results() async throws {
    let value: Int = try await waitForResult {
      $0.resume(returning: .success(1))
    } onCancel: {
    }
    #expect(value == 1)
    do throws(NetworkError) {
      let value: Int = try await waitForResult {
        $0.resume(returning: .failure(NetworkError(.offline, "no network")))
      } onCancel: {
      }
      Issue.record("returned \(value)")
    } catch {
      #expect(error.kind == .offline)
    }
  }

  @Test("A cancelled task calls onCancel before it starts to wait")
  func cancelled() async {
    let wasCalled = Mutex(false)
    await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      let value: Bool? = try? await waitForResult {
        $0.resume(returning: .success(wasCalled.withLock(\.self)))
      } onCancel: {
        wasCalled.withLock { $0 = true }
      }
      #expect(value == true)
    }.value
  }
}
