
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  
  "checkin": {
          Tables: {
            "audio_analysis": {
                  Row: {
                    "alpha_ratio_db": number | null,"articulation_rate_syllables_per_s": number | null,"check_in_id": string,"clipping_fraction": number | null,"cpps_db": number | null,"created_at": string,"duration_s": number | null,"f0_mean_hz": number | null,"f0_range_semitones": number | null,"f0_sd_semitones": number | null,"f0_slope_semitones_per_s": number | null,"hammarberg_index_db": number | null,"hnr_db": number | null,"intensity_mean_db": number | null,"intensity_range_db": number | null,"intensity_sd_db": number | null,"jitter_local": number | null,"long_pause_rate_per_min": number | null,"pause_mean_s": number | null,"pause_rate_per_min": number | null,"pause_sd_s": number | null,"phonation_ratio": number | null,"quality": number,"quality_reason": string | null,"replicates": Json | null,"shimmer_local": number | null,"snr_db": number | null,"speech_rate_syllables_per_s": number | null,"speech_run_mean_s": number | null,"speech_s": number | null,"user_id": string,"voice_break_fraction": number | null,"voiced_fraction": number | null
                  }
                  ComputedFields: never
                  Insert: {
                    "alpha_ratio_db"?: number | null,"articulation_rate_syllables_per_s"?: number | null,"check_in_id": string,"clipping_fraction"?: number | null,"cpps_db"?: number | null,"created_at"?: string,"duration_s"?: number | null,"f0_mean_hz"?: number | null,"f0_range_semitones"?: number | null,"f0_sd_semitones"?: number | null,"f0_slope_semitones_per_s"?: number | null,"hammarberg_index_db"?: number | null,"hnr_db"?: number | null,"intensity_mean_db"?: number | null,"intensity_range_db"?: number | null,"intensity_sd_db"?: number | null,"jitter_local"?: number | null,"long_pause_rate_per_min"?: number | null,"pause_mean_s"?: number | null,"pause_rate_per_min"?: number | null,"pause_sd_s"?: number | null,"phonation_ratio"?: number | null,"quality": number,"quality_reason"?: string | null,"replicates"?: Json | null,"shimmer_local"?: number | null,"snr_db"?: number | null,"speech_rate_syllables_per_s"?: number | null,"speech_run_mean_s"?: number | null,"speech_s"?: number | null,"user_id": string,"voice_break_fraction"?: number | null,"voiced_fraction"?: number | null
                  }
                  Update: {
                    "alpha_ratio_db"?: number | null,"articulation_rate_syllables_per_s"?: number | null,"check_in_id"?: string,"clipping_fraction"?: number | null,"cpps_db"?: number | null,"created_at"?: string,"duration_s"?: number | null,"f0_mean_hz"?: number | null,"f0_range_semitones"?: number | null,"f0_sd_semitones"?: number | null,"f0_slope_semitones_per_s"?: number | null,"hammarberg_index_db"?: number | null,"hnr_db"?: number | null,"intensity_mean_db"?: number | null,"intensity_range_db"?: number | null,"intensity_sd_db"?: number | null,"jitter_local"?: number | null,"long_pause_rate_per_min"?: number | null,"pause_mean_s"?: number | null,"pause_rate_per_min"?: number | null,"pause_sd_s"?: number | null,"phonation_ratio"?: number | null,"quality"?: number,"quality_reason"?: string | null,"replicates"?: Json | null,"shimmer_local"?: number | null,"snr_db"?: number | null,"speech_rate_syllables_per_s"?: number | null,"speech_run_mean_s"?: number | null,"speech_s"?: number | null,"user_id"?: string,"voice_break_fraction"?: number | null,"voiced_fraction"?: number | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "audio_analysis_check_in_id_fkey"
      columns: ["check_in_id"]
isOneToOne: true
      referencedRelation: "check_ins"
      referencedColumns: ["id"]
    }
                  ]
                },"check_ins": {
                  Row: {
                    "completed_at": string | null,"created_at": string,"error_code": string | null,"expires_at": string,"id": string,"progress": number,"risk_level": Database["checkin"]['Enums']["risk_level"] | null,"status": Database["checkin"]['Enums']["check_in_status"],"submissions": number,"submitted_at": string | null,"trace_id": string | null,"type": Database["public"]['Enums']["assessment_type"],"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "completed_at"?: string | null,"created_at"?: string,"error_code"?: string | null,"expires_at"?: string,"id"?: string,"progress"?: number,"risk_level"?: Database["checkin"]['Enums']["risk_level"] | null,"status"?: Database["checkin"]['Enums']["check_in_status"],"submissions"?: number,"submitted_at"?: string | null,"trace_id"?: string | null,"type": Database["public"]['Enums']["assessment_type"],"user_id": string
                  }
                  Update: {
                    "completed_at"?: string | null,"created_at"?: string,"error_code"?: string | null,"expires_at"?: string,"id"?: string,"progress"?: number,"risk_level"?: Database["checkin"]['Enums']["risk_level"] | null,"status"?: Database["checkin"]['Enums']["check_in_status"],"submissions"?: number,"submitted_at"?: string | null,"trace_id"?: string | null,"type"?: Database["public"]['Enums']["assessment_type"],"user_id"?: string
                  }
                  Relationships: [
                    
                  ]
                },"fusion_results": {
                  Row: {
                    "algorithm_version": string,"baseline": NonNullable<Json>,"calibrated": boolean,"check_in_id": string,"components": NonNullable<Json>,"created_at": string,"direction_of_change": Database["checkin"]['Enums']["direction_of_change"],"drivers": NonNullable<Json>,"drivers_negative": (string)[],"drivers_positive": (string)[],"risk_level": Database["checkin"]['Enums']["risk_level"],"score": number,"score_interval": (number)[] | null,"significance": Database["checkin"]['Enums']["significance"],"summary": string,"themes": (string)[],"uncertainty": number,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "algorithm_version": string,"baseline": NonNullable<Json>,"calibrated"?: boolean,"check_in_id": string,"components": NonNullable<Json>,"created_at"?: string,"direction_of_change": Database["checkin"]['Enums']["direction_of_change"],"drivers": NonNullable<Json>,"drivers_negative": (string)[],"drivers_positive": (string)[],"risk_level": Database["checkin"]['Enums']["risk_level"],"score": number,"score_interval"?: (number)[] | null,"significance": Database["checkin"]['Enums']["significance"],"summary": string,"themes": (string)[],"uncertainty": number,"user_id": string
                  }
                  Update: {
                    "algorithm_version"?: string,"baseline"?: NonNullable<Json>,"calibrated"?: boolean,"check_in_id"?: string,"components"?: NonNullable<Json>,"created_at"?: string,"direction_of_change"?: Database["checkin"]['Enums']["direction_of_change"],"drivers"?: NonNullable<Json>,"drivers_negative"?: (string)[],"drivers_positive"?: (string)[],"risk_level"?: Database["checkin"]['Enums']["risk_level"],"score"?: number,"score_interval"?: (number)[] | null,"significance"?: Database["checkin"]['Enums']["significance"],"summary"?: string,"themes"?: (string)[],"uncertainty"?: number,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "fusion_results_check_in_id_fkey"
      columns: ["check_in_id"]
isOneToOne: true
      referencedRelation: "check_ins"
      referencedColumns: ["id"]
    }
                  ]
                },"text_analysis": {
                  Row: {
                    "absolutist_rate": number | null,"check_in_id": string,"coping_rate": number | null,"created_at": string,"crisis_level": Database["checkin"]['Enums']["risk_level"],"crisis_rule": string | null,"emotion_anger": number | null,"emotion_anxiety": number | null,"emotion_joy": number | null,"emotion_sadness": number | null,"future_focus_rate": number | null,"hesitation_rate": number | null,"keywords": (string)[],"language": string | null,"lexical_diversity_mattr": number | null,"mean_sentence_length_words": number | null,"quality": number,"quality_reason": string | null,"reading_grade": number | null,"replicates": Json | null,"sentiment_compound": number | null,"sentiment_negative": number | null,"sentiment_positive": number | null,"sentiment_variability": number | null,"social_connection_rate": number | null,"stated_mood": number | null,"themes": (string)[],"transcript_source": string,"user_id": string,"words": number | null
                  }
                  ComputedFields: never
                  Insert: {
                    "absolutist_rate"?: number | null,"check_in_id": string,"coping_rate"?: number | null,"created_at"?: string,"crisis_level"?: Database["checkin"]['Enums']["risk_level"],"crisis_rule"?: string | null,"emotion_anger"?: number | null,"emotion_anxiety"?: number | null,"emotion_joy"?: number | null,"emotion_sadness"?: number | null,"future_focus_rate"?: number | null,"hesitation_rate"?: number | null,"keywords"?: (string)[],"language"?: string | null,"lexical_diversity_mattr"?: number | null,"mean_sentence_length_words"?: number | null,"quality": number,"quality_reason"?: string | null,"reading_grade"?: number | null,"replicates"?: Json | null,"sentiment_compound"?: number | null,"sentiment_negative"?: number | null,"sentiment_positive"?: number | null,"sentiment_variability"?: number | null,"social_connection_rate"?: number | null,"stated_mood"?: number | null,"themes"?: (string)[],"transcript_source"?: string,"user_id": string,"words"?: number | null
                  }
                  Update: {
                    "absolutist_rate"?: number | null,"check_in_id"?: string,"coping_rate"?: number | null,"created_at"?: string,"crisis_level"?: Database["checkin"]['Enums']["risk_level"],"crisis_rule"?: string | null,"emotion_anger"?: number | null,"emotion_anxiety"?: number | null,"emotion_joy"?: number | null,"emotion_sadness"?: number | null,"future_focus_rate"?: number | null,"hesitation_rate"?: number | null,"keywords"?: (string)[],"language"?: string | null,"lexical_diversity_mattr"?: number | null,"mean_sentence_length_words"?: number | null,"quality"?: number,"quality_reason"?: string | null,"reading_grade"?: number | null,"replicates"?: Json | null,"sentiment_compound"?: number | null,"sentiment_negative"?: number | null,"sentiment_positive"?: number | null,"sentiment_variability"?: number | null,"social_connection_rate"?: number | null,"stated_mood"?: number | null,"themes"?: (string)[],"transcript_source"?: string,"user_id"?: string,"words"?: number | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "text_analysis_check_in_id_fkey"
      columns: ["check_in_id"]
isOneToOne: true
      referencedRelation: "check_ins"
      referencedColumns: ["id"]
    }
                  ]
                },"user_baselines": {
                  Row: {
                    "check_ins": number,"score_mean": number,"score_sd": number,"state": NonNullable<Json>,"updated_at": string,"user_id": string,"version": number
                  }
                  ComputedFields: never
                  Insert: {
                    "check_ins": number,"score_mean": number,"score_sd": number,"state": NonNullable<Json>,"updated_at"?: string,"user_id": string,"version": number
                  }
                  Update: {
                    "check_ins"?: number,"score_mean"?: number,"score_sd"?: number,"state"?: NonNullable<Json>,"updated_at"?: string,"user_id"?: string,"version"?: number
                  }
                  Relationships: [
                    
                  ]
                },"visual_analysis": {
                  Row: {
                    "brow_lowering": number | null,"check_in_id": string,"created_at": string,"emotion_angry": number | null,"emotion_disgust": number | null,"emotion_fear": number | null,"emotion_happy": number | null,"emotion_neutral": number | null,"emotion_sad": number | null,"emotion_stability": number | null,"emotion_surprise": number | null,"expressivity": number | null,"eye_closure_fraction": number | null,"eye_openness": number | null,"gaze_down_fraction": number | null,"gaze_on_camera_fraction": number | null,"head_pitch_mean_deg": number | null,"head_yaw_sd_deg": number | null,"images_total": number | null,"images_usable": number | null,"mouth_openness": number | null,"quality": number,"quality_reason": string | null,"replicates": Json | null,"smile_intensity": number | null,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "brow_lowering"?: number | null,"check_in_id": string,"created_at"?: string,"emotion_angry"?: number | null,"emotion_disgust"?: number | null,"emotion_fear"?: number | null,"emotion_happy"?: number | null,"emotion_neutral"?: number | null,"emotion_sad"?: number | null,"emotion_stability"?: number | null,"emotion_surprise"?: number | null,"expressivity"?: number | null,"eye_closure_fraction"?: number | null,"eye_openness"?: number | null,"gaze_down_fraction"?: number | null,"gaze_on_camera_fraction"?: number | null,"head_pitch_mean_deg"?: number | null,"head_yaw_sd_deg"?: number | null,"images_total"?: number | null,"images_usable"?: number | null,"mouth_openness"?: number | null,"quality": number,"quality_reason"?: string | null,"replicates"?: Json | null,"smile_intensity"?: number | null,"user_id": string
                  }
                  Update: {
                    "brow_lowering"?: number | null,"check_in_id"?: string,"created_at"?: string,"emotion_angry"?: number | null,"emotion_disgust"?: number | null,"emotion_fear"?: number | null,"emotion_happy"?: number | null,"emotion_neutral"?: number | null,"emotion_sad"?: number | null,"emotion_stability"?: number | null,"emotion_surprise"?: number | null,"expressivity"?: number | null,"eye_closure_fraction"?: number | null,"eye_openness"?: number | null,"gaze_down_fraction"?: number | null,"gaze_on_camera_fraction"?: number | null,"head_pitch_mean_deg"?: number | null,"head_yaw_sd_deg"?: number | null,"images_total"?: number | null,"images_usable"?: number | null,"mouth_openness"?: number | null,"quality"?: number,"quality_reason"?: string | null,"replicates"?: Json | null,"smile_intensity"?: number | null,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "visual_analysis_check_in_id_fkey"
      columns: ["check_in_id"]
isOneToOne: true
      referencedRelation: "check_ins"
      referencedColumns: ["id"]
    }
                  ]
                }
          }
          Views: {
            [_ in never]: never
          }
          Functions: {
            [_ in never]: never
          }
          Enums: {
            "check_in_status": "created"|"processing"|"complete"|"failed"|"expired","direction_of_change": "better"|"same"|"worse","risk_level": "none"|"mild"|"moderate"|"high","significance": "low"|"medium"|"high"
          }
          CompositeTypes: {
            [_ in never]: never
          }
        },"public": {
          Tables: {
            "assessment_sessions": {
                  Row: {
                    "assessment_type": Database["public"]['Enums']["assessment_type"],"created_at": string,"id": string,"session_data": NonNullable<Json>,"status": Database["public"]['Enums']["session_status"],"updated_at": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "assessment_type": Database["public"]['Enums']["assessment_type"],"created_at"?: string,"id"?: string,"session_data"?: NonNullable<Json>,"status"?: Database["public"]['Enums']["session_status"],"updated_at"?: string,"user_id"?: string
                  }
                  Update: {
                    "assessment_type"?: Database["public"]['Enums']["assessment_type"],"created_at"?: string,"id"?: string,"session_data"?: NonNullable<Json>,"status"?: Database["public"]['Enums']["session_status"],"updated_at"?: string,"user_id"?: string
                  }
                  Relationships: [
                    
                  ]
                },"audit_logs": {
                  Row: {
                    "action": Database["public"]['Enums']["audit_action"],"actor_hash": string | null,"actor_role": string,"after": Json | null,"before": Json | null,"details": NonNullable<Json>,"hash": string,"id": number,"occurred_at": string,"previous_hash": string,"request_id": string | null,"subject_hash": string | null,"target_id": string | null,"target_type": string | null,"university_id": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "action": Database["public"]['Enums']["audit_action"],"actor_hash"?: string | null,"actor_role": string,"after"?: Json | null,"before"?: Json | null,"details"?: NonNullable<Json>,"hash": string,"id": number,"occurred_at": string,"previous_hash": string,"request_id"?: string | null,"subject_hash"?: string | null,"target_id"?: string | null,"target_type"?: string | null,"university_id"?: string | null
                  }
                  Update: {
                    "action"?: Database["public"]['Enums']["audit_action"],"actor_hash"?: string | null,"actor_role"?: string,"after"?: Json | null,"before"?: Json | null,"details"?: NonNullable<Json>,"hash"?: string,"id"?: number,"occurred_at"?: string,"previous_hash"?: string,"request_id"?: string | null,"subject_hash"?: string | null,"target_id"?: string | null,"target_type"?: string | null,"university_id"?: string | null
                  }
                  Relationships: [
                    
                  ]
                },"buddy_check_in_requests": {
                  Row: {
                    "buddy_contact_id": string | null,"created_at": string,"delivery_status": string,"id": string,"link_clicked_at": string | null,"request_type": string,"response_received_at": string | null,"response_type": string | null,"sent_at": string | null,"trigger_reason": string | null,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "buddy_contact_id"?: string | null,"created_at"?: string,"delivery_status"?: string,"id"?: string,"link_clicked_at"?: string | null,"request_type": string,"response_received_at"?: string | null,"response_type"?: string | null,"sent_at"?: string | null,"trigger_reason"?: string | null,"user_id": string
                  }
                  Update: {
                    "buddy_contact_id"?: string | null,"created_at"?: string,"delivery_status"?: string,"id"?: string,"link_clicked_at"?: string | null,"request_type"?: string,"response_received_at"?: string | null,"response_type"?: string | null,"sent_at"?: string | null,"trigger_reason"?: string | null,"user_id"?: string
                  }
                  Relationships: [
                    
                  ]
                },"buddy_contacts": {
                  Row: {
                    "created_at": string,"declined_at": string | null,"email": string | null,"id": string,"is_active": boolean,"name": string,"notify_channel": string,"number_time_zones": (string)[] | null,"phone": string,"phone_confirmed_at": string | null,"phone_confirmed_by": string | null,"priority_rank": number | null,"relationship": string | null,"texts_at_night": boolean,"time_zone": string | null,"updated_at": string,"user_id": string,"verification_token": string | null,"verification_token_expires_at": string | null,"verified": boolean,"verified_at": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"declined_at"?: string | null,"email"?: string | null,"id"?: string,"is_active"?: boolean,"name": string,"notify_channel"?: string,"number_time_zones"?: (string)[] | null,"phone": string,"phone_confirmed_at"?: string | null,"phone_confirmed_by"?: string | null,"priority_rank"?: number | null,"relationship"?: string | null,"texts_at_night"?: boolean,"time_zone"?: string | null,"updated_at"?: string,"user_id"?: string,"verification_token"?: string | null,"verification_token_expires_at"?: string | null,"verified"?: boolean,"verified_at"?: string | null
                  }
                  Update: {
                    "created_at"?: string,"declined_at"?: string | null,"email"?: string | null,"id"?: string,"is_active"?: boolean,"name"?: string,"notify_channel"?: string,"number_time_zones"?: (string)[] | null,"phone"?: string,"phone_confirmed_at"?: string | null,"phone_confirmed_by"?: string | null,"priority_rank"?: number | null,"relationship"?: string | null,"texts_at_night"?: boolean,"time_zone"?: string | null,"updated_at"?: string,"user_id"?: string,"verification_token"?: string | null,"verification_token_expires_at"?: string | null,"verified"?: boolean,"verified_at"?: string | null
                  }
                  Relationships: [
                    
                  ]
                },"buddy_verification_audit": {
                  Row: {
                    "buddy_contact_id": string | null,"created_at": string,"event_type": string,"id": string,"ip_address": unknown,"metadata": NonNullable<Json>,"user_agent": string | null,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "buddy_contact_id"?: string | null,"created_at"?: string,"event_type": string,"id"?: string,"ip_address"?: unknown,"metadata"?: NonNullable<Json>,"user_agent"?: string | null,"user_id": string
                  }
                  Update: {
                    "buddy_contact_id"?: string | null,"created_at"?: string,"event_type"?: string,"id"?: string,"ip_address"?: unknown,"metadata"?: NonNullable<Json>,"user_agent"?: string | null,"user_id"?: string
                  }
                  Relationships: [
                    
                  ]
                },"clinical_reviews": {
                  Row: {
                    "claimed_at": string | null,"claimed_by": string | null,"closed_at": string | null,"closed_by": string | null,"id": string,"last_notified_at": string,"last_risk_at": string,"open_since": string,"opened_at": string,"reminders": number,"risk_level": Database["checkin"]['Enums']["risk_level"],"source": Database["public"]['Enums']["review_source"],"source_id": string,"status": Database["public"]['Enums']["review_status"],"university_id": string | null,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "claimed_at"?: string | null,"claimed_by"?: string | null,"closed_at"?: string | null,"closed_by"?: string | null,"id"?: string,"last_notified_at"?: string,"last_risk_at"?: string,"open_since"?: string,"opened_at"?: string,"reminders"?: number,"risk_level"?: Database["checkin"]['Enums']["risk_level"],"source": Database["public"]['Enums']["review_source"],"source_id": string,"status"?: Database["public"]['Enums']["review_status"],"university_id"?: string | null,"user_id": string
                  }
                  Update: {
                    "claimed_at"?: string | null,"claimed_by"?: string | null,"closed_at"?: string | null,"closed_by"?: string | null,"id"?: string,"last_notified_at"?: string,"last_risk_at"?: string,"open_since"?: string,"opened_at"?: string,"reminders"?: number,"risk_level"?: Database["checkin"]['Enums']["risk_level"],"source"?: Database["public"]['Enums']["review_source"],"source_id"?: string,"status"?: Database["public"]['Enums']["review_status"],"university_id"?: string | null,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "clinical_reviews_university_id_fkey"
      columns: ["university_id"]
isOneToOne: false
      referencedRelation: "universities"
      referencedColumns: ["id"]
    }
                  ]
                },"cohort_days": {
                  Row: {
                    "completed": number,"day": string,"ended": number,"faculty": string,"grain": number,"residence": string,"score_sum": number,"students": number,"university_id": string,"year_of_study": string
                  }
                  ComputedFields: never
                  Insert: {
                    "completed": number,"day": string,"ended": number,"faculty"?: string,"grain"?: never,"residence"?: string,"score_sum": number,"students": number,"university_id": string,"year_of_study"?: string
                  }
                  Update: {
                    "completed"?: number,"day"?: string,"ended"?: number,"faculty"?: string,"grain"?: never,"residence"?: string,"score_sum"?: number,"students"?: number,"university_id"?: string,"year_of_study"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "cohort_days_university_id_fkey"
      columns: ["university_id"]
isOneToOne: false
      referencedRelation: "universities"
      referencedColumns: ["id"]
    }
                  ]
                },"cohort_snapshots": {
                  Row: {
                    "as_of": string,"faculty": string,"grain": number,"high_risk": number,"moderate_risk": number,"residence": string,"seen_within_days": number,"students": number,"university_id": string,"year_of_study": string
                  }
                  ComputedFields: never
                  Insert: {
                    "as_of": string,"faculty"?: string,"grain"?: never,"high_risk": number,"moderate_risk": number,"residence"?: string,"seen_within_days"?: number,"students": number,"university_id": string,"year_of_study"?: string
                  }
                  Update: {
                    "as_of"?: string,"faculty"?: string,"grain"?: never,"high_risk"?: number,"moderate_risk"?: number,"residence"?: string,"seen_within_days"?: number,"students"?: number,"university_id"?: string,"year_of_study"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "cohort_snapshots_university_id_fkey"
      columns: ["university_id"]
isOneToOne: false
      referencedRelation: "universities"
      referencedColumns: ["id"]
    }
                  ]
                },"compliance_assessments": {
                  Row: {
                    "controls": NonNullable<Json>,"ended_at": string,"evidence": NonNullable<Json>,"framework": Database["public"]['Enums']["compliance_framework"],"hash": string,"id": string,"requested_by": string | null,"started_at": string
                  }
                  ComputedFields: never
                  Insert: {
                    "controls": NonNullable<Json>,"ended_at": string,"evidence": NonNullable<Json>,"framework": Database["public"]['Enums']["compliance_framework"],"hash": string,"id": string,"requested_by"?: string | null,"started_at": string
                  }
                  Update: {
                    "controls"?: NonNullable<Json>,"ended_at"?: string,"evidence"?: NonNullable<Json>,"framework"?: Database["public"]['Enums']["compliance_framework"],"hash"?: string,"id"?: string,"requested_by"?: string | null,"started_at"?: string
                  }
                  Relationships: [
                    
                  ]
                },"compliance_controls": {
                  Row: {
                    "automated_at": string | null,"automated_status": Database["public"]['Enums']["compliance_status"],"checks": (string)[],"decided_at": string | null,"decided_by": string | null,"decision": Database["public"]['Enums']["compliance_status"] | null,"decision_evidence": Json | null,"decision_reason": string | null,"framework": Database["public"]['Enums']["compliance_framework"],"id": string,"reference": string,"requirement": string,"title": string
                  }
                  ComputedFields: never
                  Insert: {
                    "automated_at"?: string | null,"automated_status"?: Database["public"]['Enums']["compliance_status"],"checks": (string)[],"decided_at"?: string | null,"decided_by"?: string | null,"decision"?: Database["public"]['Enums']["compliance_status"] | null,"decision_evidence"?: Json | null,"decision_reason"?: string | null,"framework": Database["public"]['Enums']["compliance_framework"],"id": string,"reference": string,"requirement": string,"title": string
                  }
                  Update: {
                    "automated_at"?: string | null,"automated_status"?: Database["public"]['Enums']["compliance_status"],"checks"?: (string)[],"decided_at"?: string | null,"decided_by"?: string | null,"decision"?: Database["public"]['Enums']["compliance_status"] | null,"decision_evidence"?: Json | null,"decision_reason"?: string | null,"framework"?: Database["public"]['Enums']["compliance_framework"],"id"?: string,"reference"?: string,"requirement"?: string,"title"?: string
                  }
                  Relationships: [
                    
                  ]
                },"consents": {
                  Row: {
                    "deleted": Json | null,"granted_at": string,"id": string,"keep_results": boolean,"kind": Database["public"]['Enums']["consent_kind"],"renewed": boolean,"user_id": string,"version": string,"withdrawn_at": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "deleted"?: Json | null,"granted_at"?: string,"id"?: string,"keep_results"?: boolean,"kind": Database["public"]['Enums']["consent_kind"],"renewed"?: boolean,"user_id"?: string,"version": string,"withdrawn_at"?: string | null
                  }
                  Update: {
                    "deleted"?: Json | null,"granted_at"?: string,"id"?: string,"keep_results"?: boolean,"kind"?: Database["public"]['Enums']["consent_kind"],"renewed"?: boolean,"user_id"?: string,"version"?: string,"withdrawn_at"?: string | null
                  }
                  Relationships: [
                    
                  ]
                },"profiles": {
                  Row: {
                    "created_at": string,"first_name": string,"last_name": string,"university_id": string | null,"updated_at": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"first_name"?: string,"last_name"?: string,"university_id"?: string | null,"updated_at"?: string,"user_id": string
                  }
                  Update: {
                    "created_at"?: string,"first_name"?: string,"last_name"?: string,"university_id"?: string | null,"updated_at"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "profiles_university_id_fkey"
      columns: ["university_id"]
isOneToOne: false
      referencedRelation: "universities"
      referencedColumns: ["id"]
    }
                  ]
                },"scoring_days": {
                  Row: {
                    "algorithm_version": string,"day": string
                  }
                  ComputedFields: never
                  Insert: {
                    "algorithm_version": string,"day": string
                  }
                  Update: {
                    "algorithm_version"?: string,"day"?: string
                  }
                  Relationships: [
                    
                  ]
                },"security_incidents": {
                  Row: {
                    "affected_systems": (string)[],"affected_users": (string)[],"aware_at": string | null,"description": string,"detected_at": string,"ended_at": string | null,"id": string,"indicators": NonNullable<Json>,"key": string,"last_seen_at": string,"metadata": NonNullable<Json>,"owner": string | null,"response": NonNullable<Json>,"severity": Database["public"]['Enums']["incident_severity"],"status": Database["public"]['Enums']["incident_status"],"timeline": NonNullable<Json>,"title": string,"type": Database["public"]['Enums']["incident_type"]
                  }
                  ComputedFields: never
                  Insert: {
                    "affected_systems"?: (string)[],"affected_users"?: (string)[],"aware_at"?: string | null,"description": string,"detected_at"?: string,"ended_at"?: string | null,"id"?: string,"indicators"?: NonNullable<Json>,"key": string,"last_seen_at"?: string,"metadata"?: NonNullable<Json>,"owner"?: string | null,"response"?: NonNullable<Json>,"severity": Database["public"]['Enums']["incident_severity"],"status"?: Database["public"]['Enums']["incident_status"],"timeline"?: NonNullable<Json>,"title": string,"type": Database["public"]['Enums']["incident_type"]
                  }
                  Update: {
                    "affected_systems"?: (string)[],"affected_users"?: (string)[],"aware_at"?: string | null,"description"?: string,"detected_at"?: string,"ended_at"?: string | null,"id"?: string,"indicators"?: NonNullable<Json>,"key"?: string,"last_seen_at"?: string,"metadata"?: NonNullable<Json>,"owner"?: string | null,"response"?: NonNullable<Json>,"severity"?: Database["public"]['Enums']["incident_severity"],"status"?: Database["public"]['Enums']["incident_status"],"timeline"?: NonNullable<Json>,"title"?: string,"type"?: Database["public"]['Enums']["incident_type"]
                  }
                  Relationships: [
                    
                  ]
                },"security_policies": {
                  Row: {
                    "actions": NonNullable<Json>,"category": Database["public"]['Enums']["policy_category"],"conditions": NonNullable<Json>,"created_at": string,"dry_run": boolean,"enabled": boolean,"enforcement_points": (Database["public"]['Enums']["enforcement_point"])[],"id": string,"last_triggered": string | null,"name": string,"priority": number,"trigger_count": number,"type": Database["public"]['Enums']["policy_type"],"updated_at": string
                  }
                  ComputedFields: never
                  Insert: {
                    "actions": NonNullable<Json>,"category": Database["public"]['Enums']["policy_category"],"conditions": NonNullable<Json>,"created_at"?: string,"dry_run"?: boolean,"enabled"?: boolean,"enforcement_points"?: (Database["public"]['Enums']["enforcement_point"])[],"id"?: string,"last_triggered"?: string | null,"name": string,"priority": number,"trigger_count"?: number,"type": Database["public"]['Enums']["policy_type"],"updated_at"?: string
                  }
                  Update: {
                    "actions"?: NonNullable<Json>,"category"?: Database["public"]['Enums']["policy_category"],"conditions"?: NonNullable<Json>,"created_at"?: string,"dry_run"?: boolean,"enabled"?: boolean,"enforcement_points"?: (Database["public"]['Enums']["enforcement_point"])[],"id"?: string,"last_triggered"?: string | null,"name"?: string,"priority"?: number,"trigger_count"?: number,"type"?: Database["public"]['Enums']["policy_type"],"updated_at"?: string
                  }
                  Relationships: [
                    
                  ]
                },"security_test_results": {
                  Row: {
                    "attempts": number,"checks": number | null,"due_at": string,"ended_at": string | null,"error_code": string | null,"findings": NonNullable<Json>,"probe": Database["public"]['Enums']["security_probe"],"run_id": string,"started_at": string | null,"status": Database["public"]['Enums']["security_probe_status"]
                  }
                  ComputedFields: never
                  Insert: {
                    "attempts"?: number,"checks"?: number | null,"due_at"?: string,"ended_at"?: string | null,"error_code"?: string | null,"findings"?: NonNullable<Json>,"probe": Database["public"]['Enums']["security_probe"],"run_id": string,"started_at"?: string | null,"status"?: Database["public"]['Enums']["security_probe_status"]
                  }
                  Update: {
                    "attempts"?: number,"checks"?: number | null,"due_at"?: string,"ended_at"?: string | null,"error_code"?: string | null,"findings"?: NonNullable<Json>,"probe"?: Database["public"]['Enums']["security_probe"],"run_id"?: string,"started_at"?: string | null,"status"?: Database["public"]['Enums']["security_probe_status"]
                  }
                  Relationships: [
                    {
      foreignKeyName: "security_test_results_run_id_fkey"
      columns: ["run_id"]
isOneToOne: false
      referencedRelation: "security_test_runs"
      referencedColumns: ["id"]
    }
                  ]
                },"security_test_runs": {
                  Row: {
                    "created_at": string,"ended_at": string | null,"id": string,"requested_by": string | null,"scheduled": boolean,"status": Database["public"]['Enums']["security_test_run_status"],"test_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"ended_at"?: string | null,"id"?: string,"requested_by"?: string | null,"scheduled"?: boolean,"status"?: Database["public"]['Enums']["security_test_run_status"],"test_id": string
                  }
                  Update: {
                    "created_at"?: string,"ended_at"?: string | null,"id"?: string,"requested_by"?: string | null,"scheduled"?: boolean,"status"?: Database["public"]['Enums']["security_test_run_status"],"test_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "security_test_runs_test_id_fkey"
      columns: ["test_id"]
isOneToOne: false
      referencedRelation: "security_tests"
      referencedColumns: ["id"]
    }
                  ]
                },"security_tests": {
                  Row: {
                    "created_at": string,"created_by": string | null,"enabled": boolean,"id": string,"name": string,"next_run_at": string | null,"probes": (Database["public"]['Enums']["security_probe"])[],"schedule": Database["public"]['Enums']["security_test_schedule"]
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"created_by"?: string | null,"enabled"?: boolean,"id"?: string,"name": string,"next_run_at"?: string | null,"probes": (Database["public"]['Enums']["security_probe"])[],"schedule"?: Database["public"]['Enums']["security_test_schedule"]
                  }
                  Update: {
                    "created_at"?: string,"created_by"?: string | null,"enabled"?: boolean,"id"?: string,"name"?: string,"next_run_at"?: string | null,"probes"?: (Database["public"]['Enums']["security_probe"])[],"schedule"?: Database["public"]['Enums']["security_test_schedule"]
                  }
                  Relationships: [
                    
                  ]
                },"session_analyses": {
                  Row: {
                    "analysis": NonNullable<Json>,"created_at": string,"measures": NonNullable<Json>,"modality": Database["public"]['Enums']["modality"],"quality": number,"quality_reason": string | null,"risk_level": Database["checkin"]['Enums']["risk_level"],"session_id": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "analysis": NonNullable<Json>,"created_at"?: string,"measures": NonNullable<Json>,"modality": Database["public"]['Enums']["modality"],"quality": number,"quality_reason"?: string | null,"risk_level"?: Database["checkin"]['Enums']["risk_level"],"session_id": string,"user_id": string
                  }
                  Update: {
                    "analysis"?: NonNullable<Json>,"created_at"?: string,"measures"?: NonNullable<Json>,"modality"?: Database["public"]['Enums']["modality"],"quality"?: number,"quality_reason"?: string | null,"risk_level"?: Database["checkin"]['Enums']["risk_level"],"session_id"?: string,"user_id"?: string
                  }
                  Relationships: [
                    
                  ]
                },"session_scores": {
                  Row: {
                    "algorithm_version": string,"confidence": number,"created_at": string,"final_score": number,"fusion_score": NonNullable<Json>,"risk_level": Database["checkin"]['Enums']["risk_level"],"session_id": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "algorithm_version": string,"confidence": number,"created_at"?: string,"final_score": number,"fusion_score": NonNullable<Json>,"risk_level": Database["checkin"]['Enums']["risk_level"],"session_id": string,"user_id": string
                  }
                  Update: {
                    "algorithm_version"?: string,"confidence"?: number,"created_at"?: string,"final_score"?: number,"fusion_score"?: NonNullable<Json>,"risk_level"?: Database["checkin"]['Enums']["risk_level"],"session_id"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "session_scores_session_id_fkey"
      columns: ["session_id"]
isOneToOne: true
      referencedRelation: "assessment_sessions"
      referencedColumns: ["id"]
    }
                  ]
                },"students": {
                  Row: {
                    "check_ins": number,"counselor_access": boolean,"created_at": string,"faculty": string | null,"last_check_in_at": string | null,"last_direction_of_change": Database["checkin"]['Enums']["direction_of_change"] | null,"last_score": number | null,"last_uncertainty": number | null,"residence": string | null,"risk_level": Database["checkin"]['Enums']["risk_level"],"university_id": string | null,"updated_at": string,"user_id": string,"year_of_study": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "check_ins"?: number,"counselor_access"?: boolean,"created_at"?: string,"faculty"?: string | null,"last_check_in_at"?: string | null,"last_direction_of_change"?: Database["checkin"]['Enums']["direction_of_change"] | null,"last_score"?: number | null,"last_uncertainty"?: number | null,"residence"?: string | null,"risk_level"?: Database["checkin"]['Enums']["risk_level"],"university_id"?: string | null,"updated_at"?: string,"user_id": string,"year_of_study"?: string | null
                  }
                  Update: {
                    "check_ins"?: number,"counselor_access"?: boolean,"created_at"?: string,"faculty"?: string | null,"last_check_in_at"?: string | null,"last_direction_of_change"?: Database["checkin"]['Enums']["direction_of_change"] | null,"last_score"?: number | null,"last_uncertainty"?: number | null,"residence"?: string | null,"risk_level"?: Database["checkin"]['Enums']["risk_level"],"university_id"?: string | null,"updated_at"?: string,"user_id"?: string,"year_of_study"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "students_university_id_fkey"
      columns: ["university_id"]
isOneToOne: false
      referencedRelation: "universities"
      referencedColumns: ["id"]
    }
                  ]
                },"support_alerts": {
                  Row: {
                    "all_right_at": string | null,"crisis_contact_told_at": string | null,"ended_at": string | null,"id": string,"opened_at": string,"status": string,"step": number,"step_began_at": string,"user_id": string,"worrying_days": number
                  }
                  ComputedFields: never
                  Insert: {
                    "all_right_at"?: string | null,"crisis_contact_told_at"?: string | null,"ended_at"?: string | null,"id"?: string,"opened_at"?: string,"status"?: string,"step"?: number,"step_began_at"?: string,"user_id": string,"worrying_days": number
                  }
                  Update: {
                    "all_right_at"?: string | null,"crisis_contact_told_at"?: string | null,"ended_at"?: string | null,"id"?: string,"opened_at"?: string,"status"?: string,"step"?: number,"step_began_at"?: string,"user_id"?: string,"worrying_days"?: number
                  }
                  Relationships: [
                    
                  ]
                },"support_preferences": {
                  Row: {
                    "alerts_paused_until": string | null,"pass_on_all_right": boolean,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "alerts_paused_until"?: string | null,"pass_on_all_right"?: boolean,"user_id"?: string
                  }
                  Update: {
                    "alerts_paused_until"?: string | null,"pass_on_all_right"?: boolean,"user_id"?: string
                  }
                  Relationships: [
                    
                  ]
                },"training_assignments": {
                  Row: {
                    "assigned_by": string | null,"created_at": string,"due_days": number,"id": string,"module_id": string,"role": Database["public"]['Enums']["app_role"] | null,"user_id": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "assigned_by"?: string | null,"created_at"?: string,"due_days"?: number,"id"?: string,"module_id": string,"role"?: Database["public"]['Enums']["app_role"] | null,"user_id"?: string | null
                  }
                  Update: {
                    "assigned_by"?: string | null,"created_at"?: string,"due_days"?: number,"id"?: string,"module_id"?: string,"role"?: Database["public"]['Enums']["app_role"] | null,"user_id"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "training_assignments_module_id_fkey"
      columns: ["module_id"]
isOneToOne: false
      referencedRelation: "training_modules"
      referencedColumns: ["id"]
    }
                  ]
                },"training_attempts": {
                  Row: {
                    "correct": number | null,"expires_at": string,"id": string,"module_id": string,"passed": boolean | null,"questions": number,"score": number | null,"started_at": string,"submitted_at": string | null,"user_id": string,"version": number
                  }
                  ComputedFields: never
                  Insert: {
                    "correct"?: number | null,"expires_at": string,"id"?: string,"module_id": string,"passed"?: boolean | null,"questions": number,"score"?: number | null,"started_at"?: string,"submitted_at"?: string | null,"user_id": string,"version": number
                  }
                  Update: {
                    "correct"?: number | null,"expires_at"?: string,"id"?: string,"module_id"?: string,"passed"?: boolean | null,"questions"?: number,"score"?: number | null,"started_at"?: string,"submitted_at"?: string | null,"user_id"?: string,"version"?: number
                  }
                  Relationships: [
                    
                  ]
                },"training_certificates": {
                  Row: {
                    "attempt_id": string,"expires_at": string,"id": string,"issued_at": string,"module_id": string,"score": number,"user_id": string,"version": number
                  }
                  ComputedFields: never
                  Insert: {
                    "attempt_id": string,"expires_at": string,"id"?: string,"issued_at"?: string,"module_id": string,"score": number,"user_id": string,"version": number
                  }
                  Update: {
                    "attempt_id"?: string,"expires_at"?: string,"id"?: string,"issued_at"?: string,"module_id"?: string,"score"?: number,"user_id"?: string,"version"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "training_certificates_attempt_id_fkey"
      columns: ["attempt_id"]
isOneToOne: true
      referencedRelation: "training_attempts"
      referencedColumns: ["id"]
    }
                  ]
                },"training_modules": {
                  Row: {
                    "assessments": NonNullable<Json>,"category": Database["public"]['Enums']["training_category"],"content": NonNullable<Json>,"created_at": string,"difficulty": Database["public"]['Enums']["training_difficulty"],"estimated_duration": number,"id": string,"mandatory": boolean,"published": boolean,"title": string,"updated_at": string,"version": number
                  }
                  ComputedFields: never
                  Insert: {
                    "assessments": NonNullable<Json>,"category": Database["public"]['Enums']["training_category"],"content": NonNullable<Json>,"created_at"?: string,"difficulty": Database["public"]['Enums']["training_difficulty"],"estimated_duration": number,"id"?: string,"mandatory"?: boolean,"published"?: boolean,"title": string,"updated_at"?: string,"version"?: number
                  }
                  Update: {
                    "assessments"?: NonNullable<Json>,"category"?: Database["public"]['Enums']["training_category"],"content"?: NonNullable<Json>,"created_at"?: string,"difficulty"?: Database["public"]['Enums']["training_difficulty"],"estimated_duration"?: number,"id"?: string,"mandatory"?: boolean,"published"?: boolean,"title"?: string,"updated_at"?: string,"version"?: number
                  }
                  Relationships: [
                    
                  ]
                },"training_progress": {
                  Row: {
                    "module_id": string,"sections_read": (string)[],"started_at": string,"updated_at": string,"user_id": string,"version": number
                  }
                  ComputedFields: never
                  Insert: {
                    "module_id": string,"sections_read"?: (string)[],"started_at"?: string,"updated_at"?: string,"user_id": string,"version": number
                  }
                  Update: {
                    "module_id"?: string,"sections_read"?: (string)[],"started_at"?: string,"updated_at"?: string,"user_id"?: string,"version"?: number
                  }
                  Relationships: [
                    
                  ]
                },"universities": {
                  Row: {
                    "accepts_other_domains": boolean,"assessment_frequency": string,"country": string | null,"created_at": string,"crisis_phone": string | null,"domain": string,"features_enabled": (string)[],"id": string,"logo_url": string | null,"name": string,"primary_color": string,"privacy_settings": NonNullable<Json>,"resources": NonNullable<Json>,"secondary_color": string,"short_name": string,"support_email": string | null,"updated_at": string
                  }
                  ComputedFields: never
                  Insert: {
                    "accepts_other_domains"?: boolean,"assessment_frequency"?: string,"country"?: string | null,"created_at"?: string,"crisis_phone"?: string | null,"domain": string,"features_enabled"?: (string)[],"id": string,"logo_url"?: string | null,"name": string,"primary_color"?: string,"privacy_settings"?: NonNullable<Json>,"resources"?: NonNullable<Json>,"secondary_color"?: string,"short_name": string,"support_email"?: string | null,"updated_at"?: string
                  }
                  Update: {
                    "accepts_other_domains"?: boolean,"assessment_frequency"?: string,"country"?: string | null,"created_at"?: string,"crisis_phone"?: string | null,"domain"?: string,"features_enabled"?: (string)[],"id"?: string,"logo_url"?: string | null,"name"?: string,"primary_color"?: string,"privacy_settings"?: NonNullable<Json>,"resources"?: NonNullable<Json>,"secondary_color"?: string,"short_name"?: string,"support_email"?: string | null,"updated_at"?: string
                  }
                  Relationships: [
                    
                  ]
                },"user_roles": {
                  Row: {
                    "created_at": string,"id": string,"role": Database["public"]['Enums']["app_role"],"university_id": string | null,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"id"?: string,"role": Database["public"]['Enums']["app_role"],"university_id"?: string | null,"user_id": string
                  }
                  Update: {
                    "created_at"?: string,"id"?: string,"role"?: Database["public"]['Enums']["app_role"],"university_id"?: string | null,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "user_roles_university_id_fkey"
      columns: ["university_id"]
isOneToOne: false
      referencedRelation: "universities"
      referencedColumns: ["id"]
    }
                  ]
                },"vulnerabilities": {
                  Row: {
                    "accepted_at": string | null,"accepted_by": string | null,"accepted_reason": string | null,"accepted_until": string | null,"evidence": NonNullable<Json>,"fault": string,"fixed_at": string | null,"fixed_in": string | null,"found_at": string,"found_in": string | null,"id": string,"last_found_at": string,"probe": Database["public"]['Enums']["security_probe"],"regression_of": string | null,"severity": Database["public"]['Enums']["vulnerability_severity"],"status": Database["public"]['Enums']["vulnerability_status"],"times_found": number,"title": string
                  }
                  ComputedFields: never
                  Insert: {
                    "accepted_at"?: string | null,"accepted_by"?: string | null,"accepted_reason"?: string | null,"accepted_until"?: string | null,"evidence"?: NonNullable<Json>,"fault": string,"fixed_at"?: string | null,"fixed_in"?: string | null,"found_at"?: string,"found_in"?: string | null,"id"?: string,"last_found_at"?: string,"probe": Database["public"]['Enums']["security_probe"],"regression_of"?: string | null,"severity": Database["public"]['Enums']["vulnerability_severity"],"status"?: Database["public"]['Enums']["vulnerability_status"],"times_found"?: number,"title": string
                  }
                  Update: {
                    "accepted_at"?: string | null,"accepted_by"?: string | null,"accepted_reason"?: string | null,"accepted_until"?: string | null,"evidence"?: NonNullable<Json>,"fault"?: string,"fixed_at"?: string | null,"fixed_in"?: string | null,"found_at"?: string,"found_in"?: string | null,"id"?: string,"last_found_at"?: string,"probe"?: Database["public"]['Enums']["security_probe"],"regression_of"?: string | null,"severity"?: Database["public"]['Enums']["vulnerability_severity"],"status"?: Database["public"]['Enums']["vulnerability_status"],"times_found"?: number,"title"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "vulnerabilities_fixed_in_fkey"
      columns: ["fixed_in"]
isOneToOne: false
      referencedRelation: "security_test_runs"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "vulnerabilities_found_in_fkey"
      columns: ["found_in"]
isOneToOne: false
      referencedRelation: "security_test_runs"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "vulnerabilities_regression_of_fkey"
      columns: ["regression_of"]
isOneToOne: false
      referencedRelation: "vulnerabilities"
      referencedColumns: ["id"]
    }
                  ]
                }
          }
          Views: {
            "open_clinical_reviews": {
                  Row: {
                    "claimed_at": string | null,"claimed_by": string | null,"first_name": string | null,"id": string,"last_name": string | null,"last_risk_at": string,"opened_at": string,"risk_level": Database["checkin"]['Enums']["risk_level"],"source": Database["public"]['Enums']["review_source"],"status": Database["public"]['Enums']["review_status"],"university_id": string | null,"user_id": string
                  }
                  ComputedFields: never
                  Relationships: [
                    {
      foreignKeyName: "clinical_reviews_university_id_fkey"
      columns: ["university_id"]
isOneToOne: false
      referencedRelation: "universities"
      referencedColumns: ["id"]
    }
                  ]
                },"risk_by_cohort": {
                  Row: {
                    "active_1y": number | null,"active_30d": number | null,"active_7d": number | null,"active_90d": number | null,"as_of": string,"faculty": string | null,"high_risk_30d": number | null,"moderate_risk_30d": number | null,"residence": string | null,"students": number | null,"university_id": string,"year_of_study": string | null
                  }
                  ComputedFields: never
                  Relationships: [
                    {
      foreignKeyName: "cohort_snapshots_university_id_fkey"
      columns: ["university_id"]
isOneToOne: false
      referencedRelation: "universities"
      referencedColumns: ["id"]
    }
                  ]
                },"wellbeing_by_day": {
                  Row: {
                    "assessments_completed": number,"average_score": number | null,"completion_rate": number | null,"day": string,"faculty": string | null,"residence": string | null,"students": number,"university_id": string,"year_of_study": string | null
                  }
                  ComputedFields: never
                  Insert: {
                           "assessments_completed"?: number | null,"average_score"?: never,"completion_rate"?: never,"day"?: string | null,"faculty"?: never,"residence"?: never,"students"?: number | null,"university_id"?: string | null,"year_of_study"?: never
                         }
                        Update: {
                           "assessments_completed"?: number | null,"average_score"?: never,"completion_rate"?: never,"day"?: string | null,"faculty"?: never,"residence"?: never,"students"?: number | null,"university_id"?: string | null,"year_of_study"?: never
                         }
                        Relationships: [
                    {
      foreignKeyName: "cohort_days_university_id_fkey"
      columns: ["university_id"]
isOneToOne: false
      referencedRelation: "universities"
      referencedColumns: ["id"]
    }
                  ]
                }
          }
          Functions: {
            "accept_vulnerability":
{ Args: { "reason": string,"until": string,"vulnerability": string }; Returns: {
              "accepted_at": string | null,
"accepted_by": string | null,
"accepted_reason": string | null,
"accepted_until": string | null,
"evidence": NonNullable<Json>,
"fault": string,
"fixed_at": string | null,
"fixed_in": string | null,
"found_at": string,
"found_in": string | null,
"id": string,
"last_found_at": string,
"probe": Database["public"]['Enums']["security_probe"],
"regression_of": string | null,
"severity": Database["public"]['Enums']["vulnerability_severity"],
"status": Database["public"]['Enums']["vulnerability_status"],
"times_found": number,
"title": string
            }
                          SetofOptions: {
        from: "*"
        to: "vulnerabilities"
        isOneToOne: true
        isSetofReturn: false
      } },
"analytics_dashboard":
{ Args: { "date_range"?: string,"faculty"?: string,"residence"?: string,"university_id": string,"year_of_study"?: string }; Returns: Json
                           },
"analytics_scoring_versions":
{ Args: { "date_range"?: string,"ranges"?: number }; Returns: Json
                           },
"analytics_trends":
{ Args: { "date_range"?: string,"faculty"?: string,"residence"?: string,"step"?: string,"university_id": string,"year_of_study"?: string }; Returns: Json
                           },
"analytics_wellbeing":
{ Args: { "date_range"?: string,"university_id": string }; Returns: Json
                           },
"assess_compliance":
{ Args: { "framework": Database["public"]['Enums']["compliance_framework"] }; Returns: string
                           },
"change_incident":
{ Args: { "aware_at"?: string,"incident_id": string,"note"?: string,"owner"?: string,"status"?: Database["public"]['Enums']["incident_status"] }; Returns: {
              "affected_systems": (string)[],
"affected_users": (string)[],
"aware_at": string | null,
"description": string,
"detected_at": string,
"ended_at": string | null,
"id": string,
"indicators": NonNullable<Json>,
"key": string,
"last_seen_at": string,
"metadata": NonNullable<Json>,
"owner": string | null,
"response": NonNullable<Json>,
"severity": Database["public"]['Enums']["incident_severity"],
"status": Database["public"]['Enums']["incident_status"],
"timeline": NonNullable<Json>,
"title": string,
"type": Database["public"]['Enums']["incident_type"]
            }
                          SetofOptions: {
        from: "*"
        to: "security_incidents"
        isOneToOne: true
        isSetofReturn: false
      } },
"check_request":
{ Args: Record<PropertyKey, never>; Returns: undefined
                           },
"claim_review":
{ Args: { "review_id": string }; Returns: Json
                           },
"close_review":
{ Args: { "review_id": string }; Returns: Json
                           },
"consent_status":
{ Args: Record<PropertyKey, never>; Returns: {
              "granted_at": string,"in_force": boolean,"kind": Database["public"]['Enums']["consent_kind"],"required_version": string,"version": string
            }[]
                           },
"create_security_test":
{ Args: { "test_name": string,"test_probes": (Database["public"]['Enums']["security_probe"])[],"test_schedule"?: Database["public"]['Enums']["security_test_schedule"] }; Returns: {
              "created_at": string,
"created_by": string | null,
"enabled": boolean,
"id": string,
"name": string,
"next_run_at": string | null,
"probes": (Database["public"]['Enums']["security_probe"])[],
"schedule": Database["public"]['Enums']["security_test_schedule"]
            }
                          SetofOptions: {
        from: "*"
        to: "security_tests"
        isOneToOne: true
        isSetofReturn: false
      } },
"create_training_module":
{ Args: { "module": Json }; Returns: Json
                           },
"decide_control":
{ Args: { "control_id": string,"evidence": Json,"reason": string,"status": Database["public"]['Enums']["compliance_status"] }; Returns: {
              "automated_at": string | null,
"automated_status": Database["public"]['Enums']["compliance_status"],
"checks": (string)[],
"decided_at": string | null,
"decided_by": string | null,
"decision": Database["public"]['Enums']["compliance_status"] | null,
"decision_evidence": Json | null,
"decision_reason": string | null,
"framework": Database["public"]['Enums']["compliance_framework"],
"id": string,
"reference": string,
"requirement": string,
"title": string
            }
                          SetofOptions: {
        from: "*"
        to: "compliance_controls"
        isOneToOne: true
        isSetofReturn: false
      } },
"detect_incidents":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"evaluate_policies":
{ Args: { "context": Json,"enforce"?: boolean,"enforcement_point"?: Database["public"]['Enums']["enforcement_point"] }; Returns: Json
                           },
"execute_security_test":
{ Args: { "test": string }; Returns: {
              "created_at": string,
"ended_at": string | null,
"id": string,
"requested_by": string | null,
"scheduled": boolean,
"status": Database["public"]['Enums']["security_test_run_status"],
"test_id": string
            }
                          SetofOptions: {
        from: "*"
        to: "security_test_runs"
        isOneToOne: true
        isSetofReturn: false
      } },
"lift_legal_hold":
{ Args: { "account": string }; Returns: boolean
                           },
"list_open_reviews":
{ Args: { "page_limit"?: number,"page_offset"?: number }; Returns: Json
                           },
"list_own_accesses":
{ Args: { "before_entry"?: number,"page_limit"?: number }; Returns: {
              "action": Database["public"]['Enums']["audit_action"],"entry": number,"name": string,"occurred_at": string,"role": Database["public"]['Enums']["app_role"],"university_id": string
            }[]
                           },
"list_students":
{ Args: { "descending"?: boolean,"page_limit"?: number,"page_offset"?: number,"search"?: string,"sort"?: string,"university_id": string }; Returns: Json
                           },
"log_access":
{ Args: { "action": Database["public"]['Enums']["audit_action"],"descending"?: boolean,"page_limit"?: number,"page_offset"?: number,"search"?: string,"sort"?: string,"student_id"?: string,"university_id"?: string }; Returns: boolean
                           },
"my_training":
{ Args: Record<PropertyKey, never>; Returns: {
              "category": Database["public"]['Enums']["training_category"],"certificate_expires_at": string,"certificate_id": string,"difficulty": Database["public"]['Enums']["training_difficulty"],"due_at": string,"estimated_duration": number,"module_id": string,"sections": number,"sections_read": (string)[],"status": string,"title": string,"version": number
            }[]
                           },
"policy_statistics":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"read_audit_log":
{ Args: { "action"?: Database["public"]['Enums']["audit_action"],"actor_id"?: string,"before_entry"?: number,"page_limit"?: number,"target_id"?: string }; Returns: Database["public"]['CompositeTypes']["audit_entry"][]
                          SetofOptions: {
        from: "*"
        to: "audit_entry"
        isOneToOne: false
        isSetofReturn: true
      } },
"read_legal_holds":
{ Args: Record<PropertyKey, never>; Returns: {
              "account": string,"confidential": boolean,"erasure_waits": boolean,"reason": string,"set_at": string
            }[]
                           },
"read_student":
{ Args: { "scores"?: number,"student_id": string }; Returns: Json
                           },
"read_training_sections":
{ Args: { "module_id": string,"sections": (string)[] }; Returns: Json
                           },
"reopen_review":
{ Args: { "review_id": string }; Returns: Json
                           },
"reorder_buddies":
{ Args: { "contact_ids": (string)[] }; Returns: (string)[]
                           },
"report_all_right":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"respond_to_incident":
{ Args: { "action": string,"incident_id": string,"target"?: string,"undo"?: boolean }; Returns: Json
                           },
"retention_terms":
{ Args: Record<PropertyKey, never>; Returns: {
              "keep": string,"kind": string,"starts": string
            }[]
                           },
"review_queue":
{ Args: Record<PropertyKey, never>; Returns: {
              "claimed_at": string,"claimed_by": string,"id": string,"last_risk_at": string,"opened_at": string,"risk_level": Database["checkin"]['Enums']["risk_level"],"source": Database["public"]['Enums']["review_source"],"status": Database["public"]['Enums']["review_status"],"university_id": string
            }[]
                           },
"security_test_statistics":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"set_legal_hold":
{ Args: { "account": string,"confidential"?: boolean,"reason": string }; Returns: boolean
                           },
"set_retention":
{ Args: { "keep": string,"kind": string }; Returns: boolean
                           },
"start_training_attempt":
{ Args: { "module_id": string }; Returns: Json
                           },
"submit_training_attempt":
{ Args: { "answers": Json,"attempt_id": string }; Returns: Json
                           },
"training_statistics":
{ Args: Record<PropertyKey, never>; Returns: {
              "assigned": number,"attempts": number,"average_score": number,"completed": number,"in_progress": number,"module_id": string,"overdue": number,"passed": number,"published": boolean,"title": string,"version": number
            }[]
                           },
"verify_audit_chain":
{ Args: { "from_entry"?: number }; Returns: {
              "broken_at": number,"entries": number,"intact": boolean,"problem": string,"verified_through": number
            }[]
                           },
"withdraw_consent":
{ Args: { "keep_results"?: boolean,"kind": Database["public"]['Enums']["consent_kind"] }; Returns: Json
                           }
          }
          Enums: {
            "app_role": "student"|"counselor"|"university_admin"|"security_admin","assessment_type": "daily"|"weekly"|"baseline"|"on_demand","audit_action": "signed_in"|"sign_in_failed"|"role_granted"|"role_revoked"|"university_added"|"university_changed"|"university_removed"|"settings_changed"|"review_changed"|"training_changed"|"training_graded"|"security_test_changed"|"security_test_run"|"vulnerability_changed"|"students_listed"|"student_read"|"reviews_listed"|"data_exported"|"erasure_requested"|"erasure_cancelled"|"account_erased"|"account_imported"|"legal_hold_set"|"legal_hold_lifted"|"compliance_assessed"|"control_decided"|"incident_changed"|"response_action"|"evidence_sealed"|"policy_triggered","compliance_framework": "hipaa"|"gdpr"|"soc2","compliance_status": "not_assessed"|"compliant"|"partial"|"non_compliant"|"not_applicable","consent_kind": "audio"|"camera"|"text"|"support_circle"|"counselor_access"|"research_export","enforcement_point": "request"|"sign_in","incident_severity": "low"|"medium"|"high"|"critical","incident_status": "open"|"investigating"|"contained"|"resolved"|"closed","incident_type": "unauthorized_access"|"data_breach"|"brute_force_attacks"|"privilege_escalation"|"data_exfiltration"|"compliance_violations"|"suspicious_activity"|"system_compromise","modality": "audio"|"visual"|"text","policy_category": "access_control"|"data_protection"|"authentication"|"compliance"|"incident_response"|"monitoring","policy_type": "preventive"|"detective"|"corrective","review_source": "check_in"|"session"|"transcript"|"support_alert","review_status": "open"|"claimed"|"closed","security_probe": "forged_tokens"|"foreign_tokens"|"ended_tokens"|"other_students_rows"|"other_students_files"|"other_students_channels"|"role_escalation"|"hidden_schemas"|"rate_limits"|"injection"|"security_headers"|"worker_doors"|"replayed_links","security_probe_status": "queued"|"running"|"passed"|"faults_found"|"failed","security_test_run_status": "running"|"completed"|"failed","security_test_schedule": "on_demand"|"daily"|"weekly","session_status": "processing"|"completed"|"failed","training_category": "hipaa_compliance"|"gdpr_compliance"|"password_security"|"phishing_awareness"|"data_protection"|"incident_response"|"social_engineering"|"mobile_security","training_difficulty": "beginner"|"intermediate"|"advanced","vulnerability_severity": "low"|"medium"|"high"|"critical","vulnerability_status": "open"|"fixed"|"accepted"
          }
          CompositeTypes: {
            "audit_entry": {
                        "id": number | null,"occurred_at": string | null,"action": Database["public"]['Enums']["audit_action"] | null,"actor_id": string | null,"actor_role": string | null,"university_id": string | null,"target_type": string | null,"target_id": string | null,"subject_id": string | null,"before": Json | null,"after": Json | null,"details": Json | null,"ip": unknown,"user_agent": string | null,"request_id": string | null,"previous_hash": string | null,"hash": string | null
                      }
          }
        }
}

type DatabaseWithoutInternals = Omit<Database, '__InternalSupabase'>

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, "public">]

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])
    : never = never
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])[TableName] extends {
      Row: infer R
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
  ? (DefaultSchema["Tables"] & DefaultSchema["Views"])[DefaultSchemaTableNameOrOptions] extends {
      Row: infer R
    }
    ? R
    : never
  : never

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never = never
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Insert: infer I
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
  ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
      Insert: infer I
    }
    ? I
    : never
  : never

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never = never
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Update: infer U
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
  ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
      Update: infer U
    }
    ? U
    : never
  : never

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    | keyof DefaultSchema["Enums"]
    | { schema: keyof DatabaseWithoutInternals },
  EnumName extends DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"]
    : never = never
> = DefaultSchemaEnumNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema["Enums"]
  ? DefaultSchema["Enums"][DefaultSchemaEnumNameOrOptions]
  : never

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema["CompositeTypes"]
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"]
    : never = never
> = PublicCompositeTypeNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema["CompositeTypes"]
  ? DefaultSchema["CompositeTypes"][PublicCompositeTypeNameOrOptions]
  : never

export const Constants = {
  "checkin": {
          Enums: {
            "check_in_status": ["created", "processing", "complete", "failed", "expired"],"direction_of_change": ["better", "same", "worse"],"risk_level": ["none", "mild", "moderate", "high"],"significance": ["low", "medium", "high"]
          }
        },"public": {
          Enums: {
            "app_role": ["student", "counselor", "university_admin", "security_admin"],"assessment_type": ["daily", "weekly", "baseline", "on_demand"],"audit_action": ["signed_in", "sign_in_failed", "role_granted", "role_revoked", "university_added", "university_changed", "university_removed", "settings_changed", "review_changed", "training_changed", "training_graded", "security_test_changed", "security_test_run", "vulnerability_changed", "students_listed", "student_read", "reviews_listed", "data_exported", "erasure_requested", "erasure_cancelled", "account_erased", "account_imported", "legal_hold_set", "legal_hold_lifted", "compliance_assessed", "control_decided", "incident_changed", "response_action", "evidence_sealed", "policy_triggered"],"compliance_framework": ["hipaa", "gdpr", "soc2"],"compliance_status": ["not_assessed", "compliant", "partial", "non_compliant", "not_applicable"],"consent_kind": ["audio", "camera", "text", "support_circle", "counselor_access", "research_export"],"enforcement_point": ["request", "sign_in"],"incident_severity": ["low", "medium", "high", "critical"],"incident_status": ["open", "investigating", "contained", "resolved", "closed"],"incident_type": ["unauthorized_access", "data_breach", "brute_force_attacks", "privilege_escalation", "data_exfiltration", "compliance_violations", "suspicious_activity", "system_compromise"],"modality": ["audio", "visual", "text"],"policy_category": ["access_control", "data_protection", "authentication", "compliance", "incident_response", "monitoring"],"policy_type": ["preventive", "detective", "corrective"],"review_source": ["check_in", "session", "transcript", "support_alert"],"review_status": ["open", "claimed", "closed"],"security_probe": ["forged_tokens", "foreign_tokens", "ended_tokens", "other_students_rows", "other_students_files", "other_students_channels", "role_escalation", "hidden_schemas", "rate_limits", "injection", "security_headers", "worker_doors", "replayed_links"],"security_probe_status": ["queued", "running", "passed", "faults_found", "failed"],"security_test_run_status": ["running", "completed", "failed"],"security_test_schedule": ["on_demand", "daily", "weekly"],"session_status": ["processing", "completed", "failed"],"training_category": ["hipaa_compliance", "gdpr_compliance", "password_security", "phishing_awareness", "data_protection", "incident_response", "social_engineering", "mobile_security"],"training_difficulty": ["beginner", "intermediate", "advanced"],"vulnerability_severity": ["low", "medium", "high", "critical"],"vulnerability_status": ["open", "fixed", "accepted"]
          }
        }
} as const
