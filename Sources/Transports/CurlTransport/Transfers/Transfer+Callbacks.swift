import CCurlShims
import CLibcurl
import HTTPTypes

// What libcurl calls while it runs. None of it calls user code or waits.
extension ReusableHandle {
  /// Sets the callbacks, which stay the same for every transfer of the handle.
  func setCallbacks() {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    _ = unsafe switchyard_easy_set_pointer(easy.pointer, CURLOPT_PRIVATE, state)
    _ = unsafe switchyard_easy_set_pointer(easy.pointer, CURLOPT_TRAILERDATA, context)
    _ = unsafe switchyard_easy_set_head(
      easy.pointer,
      { bytes, size, count, context in
        unsafe Transfer.from(context)?.receiveLine(Transfer.buffer(bytes, size * count)) ?? 0
      }, context)
    _ = unsafe switchyard_easy_set_write(
      easy.pointer,
      { bytes, size, count, context in
        unsafe Transfer.from(context)?.receiveBody(Transfer.buffer(bytes, size * count)) ?? 0
      }, context)
    _ = unsafe switchyard_easy_set_ready(
      easy.pointer,
      { context, _, _, _, port in
        unsafe Transfer.from(context)?.depart(over: Int(port)) ?? CURL_PREREQFUNC_ABORT
      }, context)
    // Without it, libcurl would log to the standard error.
    _ = unsafe switchyard_easy_set_log(
      easy.pointer,
      { _, kind, bytes, count, context in
        if kind == CURLINFO_HEADER_OUT { unsafe Transfer.from(context)?.outgoing.refusal.noteHead() }
        guard kind == CURLINFO_TEXT, let bytes = unsafe bytes else { return 0 }
        let text = unsafe String(decoding: Transfer.buffer(bytes, count), as: UTF8.self)
        unsafe Transfer.from(context)?.outgoing.refusal.read(text)
        return 0
      }, context)
    _ = unsafe switchyard_easy_set_read(
      easy.pointer,
      { bytes, size, count, context in
        let target = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
        return unsafe Transfer.from(context)?.send(into: target) ?? Int(CURL_READFUNC_ABORT)
      }, context)
    _ = unsafe switchyard_easy_set_seek(
      easy.pointer,
      { context, offset, origin in
        unsafe Transfer.from(context)?.seek(to: Int64(offset), from: origin) ?? CURL_SEEKFUNC_FAIL
      }, context)
  }
}

extension EasyHandle {
  /// Sets whether libcurl asks for fields that follow the content of the request.
  func setSendsTrailers(_ sendsTrailers: Bool) throws(CurlError) {
    guard sendsTrailers else { return try check(unsafe switchyard_easy_set_trailers(pointer, nil)) }
    let code = unsafe switchyard_easy_set_trailers(
      pointer,
      { list, context in
        let lines = unsafe Transfer.from(context)?.upload?.queue.trailers.map {
          "\($0.name.rawName): \($0.value)"
        }
        for line in lines ?? [] {
          guard let longer = unsafe curl_slist_append(list.pointee, line) else {
            return CURL_TRAILERFUNC_ABORT
          }
          unsafe list.pointee = longer
        }
        return CURL_TRAILERFUNC_OK
      })
    try check(code)
  }
}

extension Transfer {
  /// A handle's state, through which the poller reports new sockets to the handle's transfer.
  static func state(_ handle: UnsafeMutableRawPointer) -> switchyard_handle_state {
    unsafe switchyard_handle_state(
      owner: handle, on_open: { handle in unsafe Transfer.from(handle)?.connect() },
      on_event: { handle in unsafe Transfer.from(handle)?.noteEvent() }, poller: nil, socket: -1,
      generation: 0,
      open_error: 0)
  }

  fileprivate static func from(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<ReusableHandle>.fromOpaque(context).takeUnretainedValue().transfer
  }

  fileprivate static func buffer(
    _ bytes: UnsafeMutablePointer<CChar>, _ count: Int
  ) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(
      start: UnsafeRawPointer(bytes).assumingMemoryBound(to: UInt8.self), count: count)
  }
}
