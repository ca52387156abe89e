import HTTPTypes
import Interception
import Synchronization

/// Sends one request through the chain of an app, and counts the bytes of header that leave it.
public enum HeadLoad {
  /// Returns the bytes of the header fields that reach the transport, with colon, space and line end each.
  ///
  /// libcurl adds `Host` and its own fields, which depend on no part of the chain.
  ///
  /// - Parameters:
  ///   - hasChain: Whether there is a chain at all.
  ///   - missing: The part that it leaves out; nil for none.
  public static func bytes(hasChain: Bool, leavingOut missing: AppChain.Part?) async throws -> Int {
    let meter = HeadMeter()
    if hasChain {
      let chain = try AppChain(leavingOut: missing).pipeline(over: meter, authority: AppChain.authority)
      _ = try await chain.send(AppChain.request)
    } else {
      _ = try await meter.dispatch(AppChain.request)
    }
    return meter.bytes.withLock { $0 }
  }
}

/// Notes the size of the header of the last request.
private final class HeadMeter: Dispatcher {
  let bytes = Mutex(0)
  private let stub = StubDispatcher(cacheControl: "no-store")

  var capabilities: DispatcherCapabilities { stub.capabilities }

  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    let size = request.head.headerFields.reduce(0) { sum, field in
      sum + field.name.rawName.utf8.count + field.value.utf8.count + 4
    }
    bytes.withLock { $0 = size }
    return try await stub.dispatch(request)
  }
}
