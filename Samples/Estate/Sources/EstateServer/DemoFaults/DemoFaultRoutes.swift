import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// Endpoints that go wrong on purpose, so that the sample app can show what its errors look like.
struct DemoFaultsRoutes {
  /// How long `/v1/demo/slow` keeps its caller waiting.
  let delay: Duration

  func add(to router: Router<BasicRequestContext>) {
    router.get("v1/demo/slow") { [delay] request, _ in
      // The wait ends early when the client leaves or the server stops.
      try await cancelWhenGracefulShutdown {
        try await request.body.consumeWithCancellationOnInboundClose { _ in
          try await Task.sleep(for: delay)
        }
      }
      return try Answer.json(["answered_after_seconds": delay.components.seconds]).response(to: request)
    }
    router.get("v1/demo/broken-json") { request, _ in
      var answer = Answer()
      answer.bytes = Array(#"{"total":866,"page":1,"houses":[{"id":1,"city":"SACRAM"#.utf8)
      return try answer.response(to: request)
    }
    router.get("v1/demo/error500") { _, _ -> Response in
      throw APIError(.internalServerError, "demo_failure", "This endpoint fails on purpose.")
    }
  }
}
